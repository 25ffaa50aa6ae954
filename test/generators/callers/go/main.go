// Buys a report with the client that oapi-codegen generated. Prints what the client read, as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"callers/client"
)

func main() {
	if err := call(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func call(ctx context.Context) error {
	eventID := os.Getenv("EVENT_ID")
	api, err := client.NewClientWithResponses(os.Getenv("API_URL"), client.WithRequestEditorFn(withKey))
	if err != nil {
		return err
	}
	perPage := 100
	events, err := api.SearchEventsWithResponse(ctx, &client.SearchEventsParams{PerPage: &perPage})
	if err != nil || events.JSON200 == nil {
		return unread("the events", events, err)
	}
	check, err := api.CheckReportWithResponse(ctx, eventID, nil)
	if err != nil || check.JSON200 == nil {
		return unread("the check", check, err)
	}
	order := client.Purchase{EventId: eventID, QuotedCredits: &check.JSON200.CostCredits, Lane: &check.JSON200.Lane}
	bought, err := buy(ctx, api, order)
	if err != nil || bought.JSON202 == nil {
		return unread("the receipt", bought, err)
	}
	report, err := readFinished(ctx, api, bought.JSON202.ReportId)
	if err != nil {
		return err
	}
	unknown, err := api.GetReportWithResponse(ctx, 999_999_999, nil)
	if err != nil || unknown.ApplicationproblemJSON404 == nil {
		return unread("the problem of an unknown report", unknown, err)
	}
	unpaid, err := buy(ctx, api, client.Purchase{EventId: os.Getenv("UNPAID_EVENT_ID")})
	if err != nil || unpaid.ApplicationproblemJSON402 == nil {
		return unread("the problem of an unpaid report", unpaid, err)
	}
	return printResults(events.JSON200, check.JSON200, bought.JSON202, report,
		unknown.ApplicationproblemJSON404, unpaid.ApplicationproblemJSON402)
}

func printResults(events *client.EventList, check *client.Check, receipt *client.Receipt, report *client.Report,
	unknown, unpaid *client.Problem) error {
	eventIDs := []string{}
	for _, event := range events.Events {
		eventIDs = append(eventIDs, event.EventId)
	}
	sources, cited := []string{}, []string{}
	for _, source := range report.Deliberation.Evidence.Items {
		sources = append(sources, source.Id+" "+source.Domain)
	}
	for _, opinion := range report.Deliberation.Opinions {
		for _, fact := range opinion.Evidence {
			cited = append(cited, fact.Sources...)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"event_ids":                      eventIDs,
		"sides":                          events.Events[0].Markets[0].Outcomes,
		"cost_credits":                   check.CostCredits,
		"pool":                           receipt.Pool,
		"report_id":                      receipt.ReportId,
		"status":                         report.Status,
		"action":                         report.Action,
		"probability":                    report.Probability,
		"chairman":                       report.CouncilConfig.Runtime.Chairman,
		"evidence_status":                report.CouncilConfig.Runtime.Evidence.Status,
		"sources":                        sources,
		"cited":                          cited,
		"unknown_is_not_found":           unknown.Code == client.ProblemCodeNotFound,
		"unpaid_is_insufficient_credits": unpaid.Code == client.ProblemCodeInsufficientCredits,
		"missing_credits":                *unpaid.CostCredits - *unpaid.BalanceCredits,
	})
}

// A busy service refuses a purchase for some seconds and charges nothing.
func buy(ctx context.Context, api *client.ClientWithResponses, order client.Purchase) (*client.CreateReportResponse, error) {
	for range 60 {
		answer, err := api.CreateReportWithResponse(ctx, nil, order)
		if err != nil || answer.ApplicationproblemJSON503 == nil ||
			answer.ApplicationproblemJSON503.Code != client.ProblemCodeUnavailable {
			return answer, err
		}
		time.Sleep(2 * time.Second)
	}
	return nil, fmt.Errorf("still refused")
}

func readFinished(ctx context.Context, api *client.ClientWithResponses, id int) (*client.Report, error) {
	wait := "wait=20"
	for {
		answer, err := api.GetReportWithResponse(ctx, id, &client.GetReportParams{Prefer: &wait})
		if err != nil || answer.JSON200 == nil {
			return nil, unread("the report", answer, err)
		}
		if status := answer.JSON200.Status; status != client.ReportStatusPending && status != client.ReportStatusProcessing {
			return answer.JSON200, nil
		}
	}
}

func withKey(_ context.Context, request *http.Request) error {
	request.Header.Set("X-API-Key", os.Getenv("API_KEY"))
	return nil
}

func unread(what string, answer interface{ Status() string }, err error) error {
	if err != nil {
		return fmt.Errorf("%s could not be read: %w", what, err)
	}
	return fmt.Errorf("%s was answered with %s", what, answer.Status())
}
