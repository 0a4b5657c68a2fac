/** Reasons the service gives itself where people give theirs otherwise; answers say them in the reader's language. */
export const ownReasons = {
  employmentEnds: 'The employment ends.',
  handedOver: 'Responsibilities were handed over.',
  publishWithdrawn: 'The right to publish the cycle was withdrawn.',
  timeIsOver: 'The time for this step is over.',
} as const;
