# Verifies a callback of Pazar, or reports why it is refused. Standard library only.
# region
import base64
import hashlib
import hmac
import json
import time


class Refused(Exception):
    """Respond with 400 and do nothing else; the text is the reason."""


def verify_callback(raw_body, headers, secrets, price_of, now=None):
    """The callback as a dict, once it is certain that Pazar sent it just now.

    raw_body: the bytes as received. JSON that was parsed and rewritten has another signature.
    headers: request.headers of Django or Flask, or a dict with names in lower case.
    secrets: the current secret, and during a rotation the next one too, as a list.
    price_of: gets the callback and returns the price of this order in your records, in cents, as a number
        or a string; None for an unknown order. A signature does not prove that enough was paid. Only
        called for payments.
    """
    if not secrets or min(map(len, secrets)) < 32:  # Anybody can sign with an empty key.
        raise Refused('no_secret')
    message_id = headers.get('webhook-id') or ''
    timestamp = headers.get('webhook-timestamp') or ''
    signatures = (headers.get('webhook-signature') or '').split(' ')

    message = f'{message_id}.{timestamp}.'.encode() + raw_body
    secret = None
    for key in secrets:
        mac = hmac.new(key.encode(), message, hashlib.sha256).digest()
        expected = b'v1,' + base64.b64encode(mac)
        if any(hmac.compare_digest(one.encode(), expected) for one in signatures):
            secret = key
    if secret is None or not timestamp.isdecimal():
        raise Refused('bad_signature')
    if abs((now or time.time()) - int(timestamp)) > 300:  # A replayed old request.
        raise Refused('expired')

    try:
        callback = json.loads(raw_body)
    except ValueError:
        raise Refused('malformed') from None
    if not isinstance(callback, dict) or not isinstance(callback.get('event'), str):
        raise Refused('malformed')
    if callback.get('mode') != ('test' if secret.startswith('sk_test_') else 'live'):
        raise Refused('wrong_mode')
    if callback['event'] == 'payment.result' and callback.get('amount') != str(price_of(callback)):
        raise Refused('amount_mismatch')
    return callback


def state_after(state, callback):
    """A callback may repeat, so save its webhook-id under a unique key together with the new state;
    if it is already stored, respond 200 and do nothing else.
    On a "fail" with failureCode resolved_unpaid about a paid order: stop the shipment, check the order.
    """
    if callback['event'] == 'payment.result':  # Paid stays paid: a late "fail" is about an earlier attempt.
        return 'paid' if state == 'paid' or callback['status'] == 'success' else 'failed'
    # refund.result: save refundId, refundStatus and refundedTotal. It is not a payment.
    # dispute.opened, dispute.closed: save disputeId and disputeStatus; you can respond until respondBy.
    # An event that you do not know: respond 200 and ignore it.
    return state
# endregion


# python3 verify.py [file]: reads {headers, body, secret, expectedAmount, now?, orderState?}, from the file or stdin.
if __name__ == '__main__':
    import sys

    with open(sys.argv[1] if len(sys.argv) > 1 else 0, encoding='utf-8') as file:
        given = json.load(file)
    body, headers, secrets = given['body'].encode(), given['headers'], given['secret'].split()
    try:
        accepted = verify_callback(body, headers, secrets, lambda _: given['expectedAmount'], given.get('now'))
    except Refused as reason:
        print('refused', reason)
        sys.exit(1)
    print('ok', accepted['transactionId'])
    if 'orderState' in given:
        print('order', state_after(given['orderState'], accepted))
