// Checks with Pazar whether an order was paid. Standard library only.

// region

//go:build ignore

package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
)

// go run check.go prints true or false, and an error or <nil>. In your own program, leave out main and the
// go:build line.
func main() {
	fmt.Println(IsPaid("https://pay.example.me", "YOUR_PROJECT_ID", "order-7", "1500",
		os.Getenv("PAZAR_SECRET")))
}

// IsPaid is true if this order was paid with exactly this amount, in cents.
// An empty amount matches any amount.
func IsPaid(baseURL, projectID, customID, amount, secret string) (bool, error) {
	question := map[string]string{"projectId": projectID, "customId": customID}
	if amount != "" {
		question["amount"] = amount
	}
	claims, err := json.Marshal(question)
	if err != nil {
		return false, err
	}
	encode := base64.RawURLEncoding.EncodeToString
	signed := encode([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + encode(claims)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(signed))
	question["hash"] = signed + "." + encode(mac.Sum(nil))
	body, err := json.Marshal(question)
	if err != nil {
		return false, err
	}

	client := http.Client{Timeout: 10 * time.Second} // A payer may be waiting.
	answer, err := client.Post(baseURL+"/sdk/transaction/checkStatus", "application/json", bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return false, fmt.Errorf("the status check returned status %d", answer.StatusCode)
	}
	var status struct{ Successful bool }
	err = json.NewDecoder(answer.Body).Decode(&status)
	return status.Successful, err
}

// endregion

// go run check.go baseUrl projectId customId [amount], with PAZAR_SECRET in the environment.
func init() {
	args := append(os.Args[1:], "")
	if len(args) == 1 {
		return
	}
	paid, err := IsPaid(args[0], args[1], args[2], args[3], os.Getenv("PAZAR_SECRET"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if !paid {
		fmt.Println("not paid")
		os.Exit(1)
	}
	fmt.Println("paid")
	os.Exit(0)
}
