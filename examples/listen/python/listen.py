# Forwards every test callback of a project to a server on this machine, byte for byte. Standard library only.
import http.client, json, os, sys, time
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

# python3 listen.py http://localhost:4000, with the three PAZAR_ variables in the environment.
shop = urlsplit(sys.argv[1])
events = '%(PAZAR_BASE_URL)s/portal/api/projects/%(PAZAR_PROJECT_ID)s/events' % os.environ
headers = {'authorization': 'Bearer ' + os.environ['PAZAR_TOKEN']}

def forward(callback):
    connection = http.client.HTTPConnection(shop.netloc, timeout=15)
    try:
        connection.request('POST', shop.path or '/', callback['body'].encode(), callback['headers'])
        print(callback['id'], connection.getresponse().status, flush=True)
    except (OSError, http.client.HTTPException) as problem:
        print(callback['id'], 'no answer from your shop:', problem, flush=True)

while True:
    try:
        # The service sends something every 15 seconds; a connection without data for longer is dead.
        with urlopen(Request(events, headers=headers), timeout=45) as stream:
            print('Listening.', flush=True)
            for name, _, value in (line.decode().rstrip('\n').partition(': ') for line in stream):
                if name == 'id':
                    headers['last-event-id'] = value  # Callbacks missed until then are replayed.
                elif name == 'data' and 'body' in json.loads(value):  # Live callbacks have no body.
                    forward(json.loads(value))
    except OSError as problem:
        if isinstance(problem, HTTPError) and problem.code < 500:
            sys.exit(problem.read().decode())  # A wrong token or an unknown project.
        print('Connecting again:', problem, flush=True)
    time.sleep(2)
