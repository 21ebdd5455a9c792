# Writes a signed pay link. Standard library only.
# region
import base64
import hashlib
import hmac
from urllib.parse import quote, urlencode

# To print a link, add this at the end and run: python3 sign.py
# import os
# print(pay_url('https://pay.example.me', 'YOUR_PROJECT_ID', '1500', 'Espresso', 'order-7', '',
#               os.environ['PAZAR_SECRET']))


def pay_url(base_url, project_id, amount, data, custom_id, exp, secret):
    """amount: in cents. data: your own text. custom_id, exp (Unix seconds): empty when the link has none."""
    amount, exp = str(amount), str(exp)
    mode = 'test' if secret.startswith('sk_test_') else 'live'
    parts = ['paylink.v1', mode, project_id, amount, data, custom_id or None, exp or None]
    mac = hmac.new(secret.encode(), b''.join(map(netstring, parts)), hashlib.sha256).digest()
    query = {'amount': amount, 'project': project_id, 'data': data, 'customId': custom_id}
    query.update(mode=mode if mode == 'test' else '', exp=exp)
    query['sig'] = base64.urlsafe_b64encode(mac).rstrip(b'=').decode()
    # Every link has data, even if it is empty.
    given = {name: value for name, value in query.items() if value or name == 'data'}
    return f'{base_url}/pay?{urlencode(given, quote_via=quote, safe="")}'


def netstring(value):
    """The length prefix keeps each value separate from the next one."""
    return b'-,' if value is None else b'%d:%b,' % (len(value.encode()), value.encode())
# endregion


# python3 sign.py baseUrl projectId amount data [customId] [exp], with PAZAR_SECRET in the environment.
if __name__ == '__main__':
    import os
    import sys

    base_url, project_id, amount, data, custom_id, exp = (sys.argv[1:] + ['', ''])[:6]
    print(pay_url(base_url, project_id, amount, data, custom_id, exp, os.environ['PAZAR_SECRET']))
