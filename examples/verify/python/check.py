# Checks with Pazar whether an order was paid. Standard library only.
# region
import base64
import hashlib
import hmac
import json
import urllib.request

# To print True or False, add this at the end and run: python3 check.py
# import os
# print(is_paid('https://pay.example.me', 'YOUR_PROJECT_ID', 'order-7', '1500', os.environ['PAZAR_SECRET']))


def is_paid(base_url, project_id, custom_id, amount, secret):
    """True if this order was paid with exactly this amount, in cents. An empty amount matches any amount."""
    question = {'projectId': project_id, 'customId': custom_id}
    if amount:
        question['amount'] = amount
    signed = encode(json.dumps({'alg': 'HS256', 'typ': 'JWT'}).encode())
    signed += b'.' + encode(json.dumps(question).encode())
    mac = hmac.new(secret.encode(), signed, hashlib.sha256).digest()
    question['hash'] = (signed + b'.' + encode(mac)).decode()

    request = urllib.request.Request(
        f'{base_url}/sdk/transaction/checkStatus',
        data=json.dumps(question).encode(),
        headers={'content-type': 'application/json'},
    )
    # In seconds. Without a 2xx, urlopen raises HTTPError.
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)['successful']


def encode(part):
    return base64.urlsafe_b64encode(part).rstrip(b'=')
# endregion


# python3 check.py baseUrl projectId customId [amount], with PAZAR_SECRET in the environment.
if __name__ == '__main__':
    import os
    import sys

    base_url, project_id, custom_id, *rest = sys.argv[1:]
    try:
        paid = is_paid(base_url, project_id, custom_id, rest[0] if rest else '', os.environ['PAZAR_SECRET'])
    except OSError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    print('paid' if paid else 'not paid')
    sys.exit(0 if paid else 1)
