# Refunds a payment and reads the list of events. Standard library only.
# region
import json
import urllib.error
import urllib.request

# refund('https://pay.example.me', 'YOUR_PROJECT_ID', transaction_id, '500', 'return-12', token)


def refund(base_url, project_id, transaction_id, amount, key, token):
    """Refunds this amount, in cents. An empty amount refunds the rest.

    Calls with the same key refund only once. After an error or a timeout, repeat the call with the same key
    and the same amount.
    """
    what = {'projectId': project_id, 'transactionId': transaction_id, 'idempotencyKey': key}
    if amount:
        what['amount'] = amount
    return post(f'{base_url}/sdk/transaction/refund', what, token)['refund']  # id, state and more


def read_events(base_url, project_id, after, token):
    """Returns what changed after this cursor; None returns everything.

    Store 'next' in the same transaction as your changes for these events, and send it as after in the next
    call. Call again while 'hasMore' is true.
    """
    what = {'projectId': project_id}
    if after:
        what['after'] = after
    return post(f'{base_url}/sdk/events/list', what, token)


def post(url, body, token):
    headers = {'content-type': 'application/json', 'authorization': f'Bearer {token}'}
    request = urllib.request.Request(url, data=json.dumps(body).encode(), headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        code = json.load(error).get('code')  # For example refund_exceeds.
        raise RuntimeError(f'Pazar returned status {error.code}: {code}') from None
# endregion


# python3 refund.py baseUrl projectId [transactionId amount key], with PAZAR_TOKEN in the environment. Without a
# transaction it prints the types of all events.
if __name__ == '__main__':
    import os
    import sys

    base_url, project_id, *rest = sys.argv[1:]
    token = os.environ['PAZAR_TOKEN']
    try:
        if rest:
            made = refund(base_url, project_id, *rest, token)
            print(made['id'], made['state'])
        else:
            page = {'next': None, 'hasMore': True}
            while page['hasMore']:
                page = read_events(base_url, project_id, page['next'], token)
                for event in page['items']:
                    print(event['type'])
    except (OSError, RuntimeError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
