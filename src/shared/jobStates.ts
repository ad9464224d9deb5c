/** States of a training job; `other` for states that this client doesn't know. */
export const jobStates = [
  ...(['pending', 'running', 'completed', 'failed'] as const),
  ...(['canceling', 'canceled', 'other'] as const),
] as const;

export type JobState = (typeof jobStates)[number];
