/**
 * Numbers in the API contract's enum `Order`, whose generated code is loaded only with the first
 * call.
 */
export const CAPTURE_ORDERS = { newestFirst: 1, oldestFirst: 2 } as const;

/** Order of captured data by time of capture. */
export type CaptureOrder = keyof typeof CAPTURE_ORDERS;
