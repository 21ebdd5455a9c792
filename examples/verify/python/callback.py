# The server that Pazar calls. Needs verify.py in the same folder.
import json, os, sqlite3, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from verify import Refused, state_after, verify_callback

# The current secret, and during a rotation the next one too.
secrets = [os.environ[name] for name in ('PAZAR_SECRET', 'PAZAR_NEXT_SECRET') if os.environ.get(name)]
if not secrets:
    sys.exit('Set PAZAR_SECRET to the secret of your project.')
lock = threading.Lock()
db = sqlite3.connect(os.environ.get('ORDERS_FILE', 'orders.db'), check_same_thread=False)
db.execute('create table if not exists orders (id text primary key, cents integer, state text)')
db.execute('create table if not exists seen (webhook_id text primary key)')
db.execute('create table if not exists refunds (id text primary key, order_id text, status text, cents text)')
db.execute("insert or ignore into orders values ('order-7', 1500, 'open')")
db.commit()


def price_of(callback):
    order_id = callback.get('customId', '')
    # Test callbacks of the portal and the exam use their own orders.
    if callback['mode'] == 'test' and order_id.startswith(('test-', 'exam-')):
        db.execute("insert or ignore into orders values (?, 1500, 'open')", (order_id,))
    order = db.execute('select cents from orders where id = ?', (order_id,)).fetchone()
    return order[0] if order else None  # None: an order that is not ours


def take(body, headers):
    callback = verify_callback(body, headers, secrets, price_of)
    order_id = callback.get('customId')
    # A refund or a dispute may come before the payment's own callback.
    (state,) = db.execute('select state from orders where id = ?', (order_id,)).fetchone() or ('unknown',)
    # A repeated callback changes nothing: its id is already stored.
    if db.execute('insert or ignore into seen values (?)', (headers['webhook-id'],)).rowcount == 1:
        state = state_after(state, callback)
        db.execute('update orders set state = ? where id = ?', (state, order_id))
        if callback['event'] == 'refund.result':  # Save disputes in the same way.
            refund = (callback['refundId'], order_id, callback['refundStatus'], callback['amount'])
            db.execute(
                'insert into refunds values (?, ?, ?, ?) on conflict (id)'
                # The status "returned" is final, in any order of callbacks.
                " do update set status = excluded.status where refunds.status != 'returned'",
                refund,
            )
    print(f'{order_id}: {state}', flush=True)
    if callback.get('failureCode') == 'resolved_unpaid' and state == 'paid':
        print(f'{order_id}: stop the shipment and check the order', flush=True)
    return {'paid': state == 'paid'}  # Only the exam reads this. For a callback, status 200 is enough.


class Shop(BaseHTTPRequestHandler):
    timeout = 10  # Seconds that a read may wait.

    def do_POST(self):
        length = int(self.headers['content-length'] or 0)
        if not 0 <= length <= 1_000_000:  # Anybody can send a body that would fill the memory.
            self.send_error(413)
            return
        # The body is read before the lock is taken, so that a slow sender does not stop the others.
        body = self.rfile.read(length)
        try:
            with lock, db:  # One transaction: if anything fails, nothing is saved, and Pazar tries again.
                status, answer = 200, take(body, self.headers)
        except Refused as reason:
            status, answer = 400, {'refused': str(reason)}
            print('refused:', reason, flush=True)
        self.send_response(status)
        self.send_header('content-type', 'application/json')
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())


port = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
server = ThreadingHTTPServer(('localhost', port), Shop)
print(f'Waiting for callbacks at http://localhost:{port}', flush=True)
server.serve_forever()
