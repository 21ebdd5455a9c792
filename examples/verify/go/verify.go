//go:build ignore

// Verifies a callback of Pazar, or reports why it is refused. Standard library only.
package main

import (
	"fmt"
	"io"
	"os"
)

// region

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

type Callback struct {
	Event         string `json:"event"`
	Status        string `json:"status"`
	FailureCode   string `json:"failureCode"`
	TransactionID string `json:"transactionId"`
	Amount        string `json:"amount"`
	Currency      string `json:"currency"`
	Mode          string `json:"mode"`
	CustomID      string `json:"customId"`
	Data          string `json:"data"`
	RefundID      string `json:"refundId"`
	RefundStatus  string `json:"refundStatus"`
	RefundedTotal string `json:"refundedTotal"`
	DisputeID     string `json:"disputeId"`
	DisputeStatus string `json:"disputeStatus"`
	RespondBy     string `json:"respondBy"`
}

// VerifyCallback returns the callback once it is certain that Pazar sent it just now. After an error,
// respond with 400 and do nothing else; the text of the error is the reason.
//
// rawBody: the bytes as received. JSON that was parsed and rewritten has another signature.
// secrets: the current secret, and during a rotation the next one too.
// priceOf: the price of this order in your records, in cents as digits; "" for an unknown order. A
// signature does not prove that enough was paid. Only called for payments.
func VerifyCallback(
	rawBody []byte, headers http.Header, secrets []string, priceOf func(Callback) string, now time.Time,
) (callback Callback, err error) {
	if len(secrets) == 0 {
		return callback, errors.New("no_secret")
	}
	timestamp, secret := headers.Get("webhook-timestamp"), ""
	for _, key := range secrets {
		if len(key) < 32 { // Anybody can sign with an empty key.
			return callback, errors.New("no_secret")
		}
		mac := hmac.New(sha256.New, []byte(key))
		mac.Write([]byte(headers.Get("webhook-id") + "." + timestamp + "."))
		mac.Write(rawBody)
		expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, one := range strings.Split(headers.Get("webhook-signature"), " ") {
			if hmac.Equal([]byte(one), []byte(expected)) {
				secret = key
			}
		}
	}
	signedAt, err := strconv.ParseInt(timestamp, 10, 64)
	if secret == "" || err != nil {
		return callback, errors.New("bad_signature")
	}
	if age := now.Unix() - signedAt; age > 300 || age < -300 { // A replayed old request.
		return callback, errors.New("expired")
	}

	if json.Unmarshal(rawBody, &callback) != nil || callback.Event == "" {
		return callback, errors.New("malformed")
	}
	mode := "live"
	if strings.HasPrefix(secret, "sk_test_") {
		mode = "test"
	}
	if callback.Mode != mode {
		return callback, errors.New("wrong_mode")
	}
	if callback.Event == "payment.result" && (callback.Amount == "" || callback.Amount != priceOf(callback)) {
		return callback, errors.New("amount_mismatch")
	}
	return callback, nil
}

// StateAfter is the new state of the order. A callback may repeat, so save its webhook-id under a unique key
// with the new state; if it is already stored, respond 200 and do nothing else.
// On a "fail" with FailureCode resolved_unpaid about a paid order: stop the shipment, check the order.
func StateAfter(state string, callback Callback) string {
	switch callback.Event {
	case "payment.result": // Paid stays paid: a late "fail" is about an earlier attempt.
		if state == "paid" || callback.Status == "success" {
			return "paid"
		}
		return "failed"
	case "refund.result": // Save RefundID, RefundStatus and RefundedTotal. It is not a payment.
		return state
	case "dispute.opened", "dispute.closed": // Save DisputeID and DisputeStatus; RespondBy is the deadline.
		return state
	default: // An event that you do not know: respond 200 and ignore it.
		return state
	}
}

// endregion

// go run verify.go [file]: reads {headers, body, secret, expectedAmount, now?, orderState?}, from the file or stdin.
func main() {
	input := os.Stdin
	if len(os.Args) > 1 {
		file, err := os.Open(os.Args[1])
		if err != nil {
			panic(err)
		}
		input = file
	}
	var given struct {
		Headers                                  map[string]string
		Body, Secret, ExpectedAmount, OrderState string
		Now                                      int64
	}
	text, err := io.ReadAll(input)
	if err == nil {
		err = json.Unmarshal(text, &given)
	}
	if err != nil {
		panic(err)
	}
	headers := http.Header{}
	for name, value := range given.Headers {
		headers.Set(name, value)
	}
	now := time.Now()
	if given.Now != 0 {
		now = time.Unix(given.Now, 0)
	}
	priceOf := func(Callback) string { return given.ExpectedAmount }
	callback, err := VerifyCallback([]byte(given.Body), headers, strings.Fields(given.Secret), priceOf, now)
	if err != nil {
		fmt.Println("refused", err)
		os.Exit(1)
	}
	fmt.Println("ok", callback.TransactionID)
	if given.OrderState != "" {
		fmt.Println("order", StateAfter(given.OrderState, callback))
	}
}
