# Runs the integration exam with a server on this machine. Standard library only.
import http.client, json, os, socket, string, sys, time
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

# python3 exam.py http://localhost:4000, with PAZAR_BASE_URL, PAZAR_PROJECT_ID and PAZAR_TOKEN set.
shop = urlsplit(sys.argv[1])
target = quote((shop.path or '/') + (shop.query and '?' + shop.query), safe=string.punctuation)
base = os.environ['PAZAR_BASE_URL'].rstrip('/')
exam = base + '/portal/api/projects/%(PAZAR_PROJECT_ID)s/exam' % os.environ
headers = {'authorization': 'Bearer ' + os.environ['PAZAR_TOKEN'], 'content-type': 'application/json'}

def ask(body):
    try:
        return json.load(urlopen(Request(exam, json.dumps(body).encode(), headers)))
    except HTTPError as refusal:  # For example because the token is wrong or read-only.
        print(refusal.read().decode())
        sys.exit(2)

answers = []
for request in ask({'deliver': 'caller'})['requests']:  # One after another, in this order.
    started = time.monotonic()
    answer = {'name': request['name'], 'statusCode': None}
    connection = http.client.HTTPConnection(shop.netloc, timeout=15)
    try:
        connection.request('POST', target, request['body'].encode(), request['headers'])
        got = connection.getresponse()
        answer.update(statusCode=got.status, body=got.read(1000).decode(errors='replace'))
    except (OSError, http.client.HTTPException) as problem:
        answer['error'] = 'timeout' if isinstance(problem, socket.timeout) else 'connect'
    answer['durationMs'] = int((time.monotonic() - started) * 1000)
    answers.append(answer)

report = ask({'deliver': 'caller', 'answers': answers})
for one in report['scenarios']:
    fix = '' if one['passed'] else f"{one['got']} {one['answer'] or ''} -> {one['fix']}"
    print('ok  ' if one['passed'] else 'FAIL', one['title'], fix)
print(report['passed'], 'of', report['passed'] + report['failed'])
sys.exit(report['failed'] > 0)
