import { CONNECTION_LIMITS, type ConnectionLimits } from '../server/connectionGuard';
import { usageError } from './commandError';

const MAX_CONNECTIONS = 1_000_000;

/**
 * Parses the connection limits. Missing limits get their default values.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function readConnectionLimits(
  total: string | undefined,
  perAddress: string | undefined,
): ConnectionLimits {
  const all = readCount('--max-connections', total, CONNECTION_LIMITS.total);
  const usual = Math.min(all, CONNECTION_LIMITS.perAddress);
  return { total: all, perAddress: readCount('--max-connections-per-address', perAddress, usual) };
}

function readCount(option: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count === 0 || count > MAX_CONNECTIONS) {
    throw usageError(`${option} must be a number from 1 to ${MAX_CONNECTIONS}, not "${text}"`);
  }
  return count;
}
