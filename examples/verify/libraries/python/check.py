# Verifies a callback with the official library. Usage: PAZAR_SECRET=… check.py id timestamp signature < body
import os, sys
from standardwebhooks import Webhook, WebhookVerificationError

headers = dict(zip(('webhook-id', 'webhook-timestamp', 'webhook-signature'), sys.argv[1:]))
try:
    # The key is the secret as bytes; as text the library would decode it from base64.
    Webhook(os.environ['PAZAR_SECRET'].encode()).verify(sys.stdin.buffer.read(), headers)
    print('ok')
except WebhookVerificationError:
    print('refused')
