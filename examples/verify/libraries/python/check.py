# Verifies a callback with the official library. Usage: PAZAR_SECRET=… check.py id timestamp signature < body
import os, sys
from standardwebhooks import Webhook, WebhookVerificationError

headers = dict(zip(('webhook-id', 'webhook-timestamp', 'webhook-signature'), sys.argv[1:]))
try:
    # Pass the secret as bytes. The library would decode a text from base64.
    Webhook(os.environ['PAZAR_SECRET'].encode()).verify(sys.stdin.buffer.read(), headers)
    print('ok')
except WebhookVerificationError:
    print('refused')
