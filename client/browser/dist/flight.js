/** A flight, as perigee_client_report_flight() tells it: docs/flight_recorder.md explains the fields. */
export {};
