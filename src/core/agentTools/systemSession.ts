import { randomBytes } from 'node:crypto';
import { systemClock } from '../../base/clock';
import type { ToolSession } from './agentTool';

/** Parts of sessions that are the same for all programs. */
export const systemSession: Pick<ToolSession, 'clock' | 'createId' | 'createTimeout'> = {
  clock: systemClock,
  createId: () => randomBytes(16).toString('hex'),
  createTimeout: (milliseconds) => AbortSignal.timeout(milliseconds),
};
