/** States of a training job; `other` is for states that are unknown to this client. */
export const jobStates = [
  ...(['pending', 'running', 'completed', 'failed'] as const),
  ...(['canceling', 'canceled', 'other'] as const),
] as const;

export type JobState = (typeof jobStates)[number];
