// The server that Pazar calls. Needs verify.go in the same folder.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// Your orders, here in memory. With a database: one transaction, and webhook-id under a unique key.
var (
	lock    sync.Mutex
	prices  = map[string]string{"order-7": "1500"}
	states  = map[string]string{"order-7": "open"}
	seen    = map[string]bool{}
	refunds = map[string]Callback{}
)

// The current secret, and during a rotation the next one too.
var secrets = strings.Fields(os.Getenv("PAZAR_SECRET") + " " + os.Getenv("PAZAR_NEXT_SECRET"))

func priceOf(callback Callback) string {
	id := callback.CustomID
	// Test callbacks of the portal and the exam use their own orders.
	isTest := strings.HasPrefix(id, "test-") || strings.HasPrefix(id, "exam-")
	if callback.Mode == "test" && isTest && prices[id] == "" {
		prices[id], states[id] = "1500", "open"
	}
	return prices[id] // "": an order that is not ours
}

func take(response http.ResponseWriter, request *http.Request) {
	// Before the lock: a slow sender must not stop the others.
	body, err := io.ReadAll(io.LimitReader(request.Body, 1<<20))
	if err != nil {
		response.WriteHeader(400)
		return
	}
	lock.Lock()
	defer lock.Unlock()
	callback, refused := VerifyCallback(body, request.Header, secrets, priceOf, time.Now())
	if refused != nil {
		fmt.Println("refused:", refused)
		response.WriteHeader(400)
		return
	}
	order, id := callback.CustomID, request.Header.Get("webhook-id")
	if !seen[id] { // A repeated callback changes nothing.
		seen[id] = true
		// A refund or a dispute may come before the payment's own callback.
		if _, isOurs := prices[order]; isOurs {
			states[order] = StateAfter(states[order], callback)
		}
		// Save disputes in the same way. The status "returned" is final, in any order of callbacks.
		if callback.Event == "refund.result" && refunds[callback.RefundID].RefundStatus != "returned" {
			refunds[callback.RefundID] = callback
		}
	}
	fmt.Println(order + ": " + states[order])
	if callback.FailureCode == "resolved_unpaid" && states[order] == "paid" {
		fmt.Println(order + ": stop the shipment and check the order")
	}
	// For the exam; 200 is enough for Pazar.
	json.NewEncoder(response).Encode(map[string]bool{"paid": states[order] == "paid"})
}

func main() {
	if len(secrets) == 0 {
		log.Fatal("Set PAZAR_SECRET to the secret of your project.")
	}
	port := append(os.Args[1:], "4000")[0]
	listener, err := net.Listen("tcp", "localhost:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Waiting for callbacks at http://localhost:" + port)
	server := &http.Server{
		Handler: http.HandlerFunc(take), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second,
	}
	log.Fatal(server.Serve(listener))
}
