# Forwards every test callback of a project to a server on this machine, byte for byte. Standard library only.
import http.client, json, os, string, sys, time
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

# python3 listen.py http://localhost:4000, with PAZAR_BASE_URL, PAZAR_PROJECT_ID and PAZAR_TOKEN set.
shop = urlsplit(sys.argv[1])
target = quote((shop.path or '/') + (shop.query and '?' + shop.query), safe=string.punctuation)
base = os.environ['PAZAR_BASE_URL'].rstrip('/')
events = base + '/portal/api/projects/%(PAZAR_PROJECT_ID)s/events' % os.environ
headers = {'authorization': 'Bearer ' + os.environ['PAZAR_TOKEN']}

def forward(callback):
    started, status = time.monotonic(), None
    connection = http.client.HTTPConnection(shop.netloc, timeout=15)
    try:
        connection.request('POST', target, callback['body'].encode(), callback['headers'])
        status = connection.getresponse().status
        print(callback['id'], status, flush=True)
    except (OSError, http.client.HTTPException) as problem:
        print(callback['id'], 'no answer from your shop:', problem, flush=True)
    report(callback['id'], status, int((time.monotonic() - started) * 1000))

def report(callback_id, status, duration_ms):
    """Lets the callback log show how your server responded."""
    body = json.dumps({'callbackId': callback_id, 'statusCode': status, 'durationMs': duration_ms})
    own = {'authorization': headers['authorization'], 'content-type': 'application/json'}
    try:
        urlopen(Request(events + '/report', body.encode(), own), timeout=15).close()
    except OSError:
        pass  # Only the log entry is lost, for example because the token is read-only.

while True:
    try:
        # The service sends a ping every 15 seconds, so 45 seconds without data mean a dead connection.
        with urlopen(Request(events, headers=headers), timeout=45) as stream:
            print('Listening.', flush=True)
            event_id = None
            for line in stream:
                name, _, value = line.decode().rstrip('\n').partition(': ')
                if name == 'id':
                    event_id = value
                elif name == 'data' and 'body' in json.loads(value):  # Live callbacks have no body.
                    forward(json.loads(value))
                elif line == b'\n' and event_id:  # The event is complete, so a reconnect continues after it.
                    headers['last-event-id'] = event_id
    # Half an event cannot be decoded: a reconnect gets it again.
    except (OSError, http.client.HTTPException, json.JSONDecodeError, UnicodeDecodeError) as problem:
        # After a 429 (too many open streams) the loop tries again: the service may still count a broken one.
        if isinstance(problem, HTTPError) and problem.code < 500 and problem.code != 429:
            sys.exit(problem.read().decode())  # A wrong token or an unknown project.
        print('Connecting again:', problem, flush=True)
    time.sleep(2)
