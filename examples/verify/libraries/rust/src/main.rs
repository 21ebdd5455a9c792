// Verifies a callback with the official library. Usage: PAZAR_SECRET=… check id timestamp signature < body
use http::{HeaderMap, HeaderValue};
use standardwebhooks::Webhook;
use std::io::Read;

fn main() {
    let mut headers = HeaderMap::new();
    let values = std::env::args().skip(1);
    for (name, value) in ["webhook-id", "webhook-timestamp", "webhook-signature"].into_iter().zip(values) {
        headers.insert(name, HeaderValue::from_str(&value).expect("a header"));
    }
    let mut body = Vec::new();
    std::io::stdin().read_to_end(&mut body).expect("a body");
    // The key is the secret as bytes.
    let secret = std::env::var("PAZAR_SECRET").expect("a secret").into_bytes();
    let webhook = Webhook::from_bytes(secret).expect("a key");
    println!("{}", if webhook.verify(&body, &headers).is_ok() { "ok" } else { "refused" });
}
