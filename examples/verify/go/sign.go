// Writes a signed pay link. Standard library only.

// region

//go:build ignore

package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// Prints a link: go run sign.go. In your own program, leave out main and the go:build line.
func main() {
	fmt.Println(PayURL("https://pay.example.me", "YOUR_PROJECT_ID", "1500", "Espresso", "order-7", "",
		os.Getenv("PAZAR_SECRET")))
}

// PayURL writes a link. amount: in cents. data: your own text. customID, exp (Unix seconds): empty when the
// link has none.
func PayURL(baseURL, projectID, amount, data, customID, exp, secret string) string {
	mode := "live"
	if strings.HasPrefix(secret, "sk_test_") {
		mode = "test"
	}
	// The length prefix keeps each value separate from the next one.
	message := ""
	for place, value := range []string{"paylink.v1", mode, projectID, amount, data, customID, exp} {
		if place > 4 && value == "" {
			message += "-,"
		} else {
			message += fmt.Sprintf("%d:%s,", len(value), value)
		}
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(message))
	sig := base64.RawURLEncoding.EncodeToString(mac.Sum(nil))

	// Go encodes a space as "+". Links of Pazar have "%20".
	encode := func(value string) string { return strings.ReplaceAll(url.QueryEscape(value), "+", "%20") }
	// Every link has data, even if it is empty.
	link := baseURL + "/pay?amount=" + encode(amount) + "&project=" + encode(projectID) + "&data=" + encode(data)
	if customID != "" {
		link += "&customId=" + encode(customID)
	}
	if mode == "test" {
		link += "&mode=test"
	}
	if exp != "" {
		link += "&exp=" + encode(exp)
	}
	return link + "&sig=" + sig
}

// endregion

// go run sign.go baseUrl projectId amount data [customId] [exp], with PAZAR_SECRET in the environment.
func init() {
	if args := append(os.Args[1:], "", ""); len(args) > 2 {
		fmt.Println(PayURL(args[0], args[1], args[2], args[3], args[4], args[5], os.Getenv("PAZAR_SECRET")))
		os.Exit(0)
	}
}
