// Verifies a callback with the official library. Usage: PAZAR_SECRET=… check id timestamp signature < body
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	headers := http.Header{}
	for i, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		headers.Set(name, os.Args[i+1])
	}
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	// The key is the secret as bytes.
	webhook, err := standardwebhooks.NewWebhookRaw([]byte(os.Getenv("PAZAR_SECRET")))
	if err != nil {
		panic(err)
	}
	if webhook.Verify(body, headers) != nil {
		fmt.Println("refused")
	} else {
		fmt.Println("ok")
	}
}
