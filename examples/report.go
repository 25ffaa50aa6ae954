// Buys a report within a price, waits for it and prints it, with the client that oapi-codegen generates.
//
//	go mod init example
//	curl -s http://127.0.0.1:3000/openapi.json -o openapi.json
//	mkdir council && oapi-codegen -generate types,client -package council -o council/client.go openapi.json
//	go mod tidy && COUNCIL_BASE_URL=http://127.0.0.1:3000 COUNCIL_API_KEY=pc_live_… go run . sample-fed-cut-2031 150
//
// The arguments are the id of an event and the most that its report may cost in credits. That is in the purchase as its
// quote: the service charges the quote or less, or nothing. Dollars are never billed. If it is started again on the same
// day, the report is owned and free.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strconv"

	"example/council"
)

func main() {
	ctx, lane, key, wait := context.Background(), council.Lane("credits"), os.Getenv("COUNCIL_API_KEY"), "wait=30"
	limit, _ := strconv.Atoi(os.Args[2]) // what is no number is 0, and buys nothing
	withKey := func(_ context.Context, r *http.Request) error { r.Header.Set("X-API-Key", key); return nil }
	api, _ := council.NewClient(os.Getenv("COUNCIL_BASE_URL"), council.WithRequestEditorFn(withKey))
	limit = min(limit, read[council.Check](api.CheckReport(ctx, os.Args[1], &council.CheckReportParams{Lane: &lane})).CostCredits)
	order := council.Purchase{EventId: os.Args[1], Lane: &lane, QuotedCredits: &limit}
	report := council.Report{Id: read[council.Receipt](api.CreateReport(ctx, nil, order)).ReportId}
	for report.Status != "completed" && report.Status != "failed" {
		report = read[council.Report](api.GetReport(ctx, report.Id, &council.GetReportParams{Prefer: &wait}))
	}
	json.NewEncoder(os.Stdout).Encode(report)
}

func read[T any](response *http.Response, err error) (value T) {
	if err != nil || response.StatusCode > 299 || json.NewDecoder(response.Body).Decode(&value) != nil {
		log.Fatalln(cmp.Or(response, &http.Response{}).Status, err) // 409: the price is above the limit
	}
	return value
}
