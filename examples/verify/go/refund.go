//go:build ignore

// Refunds a payment and reads the list of events. Standard library only.
package main

import "os"

// region

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

type Refunded struct {
	ID    string `json:"id"`
	State string `json:"state"` // processing, succeeded, failed or returned
}

// Refund("https://pay.example.me", "YOUR_PROJECT_ID", transactionID, "500", "return-12", token)

// Refund sends back this amount, in cents. An empty amount refunds the rest. Calls with the same key refund
// only once. After an error or a timeout, repeat the call with the same key and the same amount.
func Refund(baseURL, projectID, transactionID, amount, key, token string) (Refunded, error) {
	what := map[string]string{"projectId": projectID, "transactionId": transactionID, "idempotencyKey": key}
	if amount != "" {
		what["amount"] = amount
	}
	var answered struct{ Refund Refunded }
	err := post(baseURL+"/sdk/transaction/refund", what, token, &answered)
	return answered.Refund, err
}

type EventPage struct {
	Items []struct {
		ID            string `json:"id"`
		Type          string `json:"type"`
		TransactionID string `json:"transactionId"`
	}
	Next    string
	HasMore bool
}

// ReadEvents returns what changed after this cursor; "" returns everything. Store Next in the same
// transaction as your changes for these events, and send it as after in the next call. Call again while
// HasMore is true.
func ReadEvents(baseURL, projectID, after, token string) (page EventPage, err error) {
	what := map[string]string{"projectId": projectID}
	if after != "" {
		what["after"] = after
	}
	err = post(baseURL+"/sdk/events/list", what, token, &page)
	return page, err
}

func post(url string, body interface{}, token string, answered interface{}) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest("POST", url, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("content-type", "application/json")
	request.Header.Set("authorization", "Bearer "+token)
	client := http.Client{Timeout: 30 * time.Second}
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		var problem struct{ Code string } // For example refund_exceeds.
		_ = json.NewDecoder(answer.Body).Decode(&problem)
		return fmt.Errorf("Pazar returned status %d: %s", answer.StatusCode, problem.Code)
	}
	return json.NewDecoder(answer.Body).Decode(answered)
}

// endregion

// go run refund.go baseUrl projectId [transactionId amount key], with PAZAR_TOKEN in the environment. Without a
// transaction it prints the types of all events.
func main() {
	args, token := os.Args[1:], os.Getenv("PAZAR_TOKEN")
	if len(args) > 2 {
		refunded, err := Refund(args[0], args[1], args[2], args[3], args[4], token)
		exitOn(err)
		fmt.Println(refunded.ID, refunded.State)
		return
	}
	for page := (EventPage{HasMore: true}); page.HasMore; {
		var err error
		page, err = ReadEvents(args[0], args[1], page.Next, token)
		exitOn(err)
		for _, event := range page.Items {
			fmt.Println(event.Type)
		}
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
