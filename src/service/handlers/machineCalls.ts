import type { ServiceImpl } from '@connectrpc/connect';
import type { JsonValue } from '@bufbuild/protobuf';
import { inSlices } from '../../base/slices';
import type { RobotService } from '../../gen/viam/app/v1/robot_pb';
import type { LogEntry } from '../../gen/viam/common/v1/common_pb';
import { invalid } from '../errors';
import type { LogBroker } from '../logs/logHub';
import type { LogRetention } from '../logs/logRetention';
import { toLogLine } from '../messages/logMessages';
import { insertLogLines, type NewLogLine } from '../store/logs/logLines';
import type { Micros } from '../store/micros';
import { acknowledgeRestart } from '../store/restarts';
import { recordAppliedRevision } from './configStates';
import type { HandlerDependencies } from './handlerSupport';

type MachineCalls = Pick<ServiceImpl<typeof RobotService>, 'needsRestart' | 'log'>;

/**
 * Maximum number of lines in a batch, and the limits on a single line. A message could contain
 * more.
 */
const MAX_LINES = 10_000;
const MAX_LINE_BYTES = 1024 * 1024;
/**
 * Maximum nesting depth of a line's fields. JSON can be nested more deeply, but Protobuf readers
 * reject more than a hundred levels.
 */
const MAX_LINE_LEVELS = 32;

interface MachineCallDependencies extends HandlerDependencies {
  broker: LogBroker;
  retention: LogRetention;
}

/** Interval at which a machine checks whether it must restart. */
const RESTART_CHECK_SECONDS = 5n;

/**
 * Handlers for requests from machines, which authenticate with the secret of a part or its
 * location.
 */
export function machineCallHandlers({
  store,
  now,
  broker,
  retention,
}: MachineCallDependencies): MachineCalls {
  return {
    async log({ id, logs }) {
      if (logs.length > MAX_LINES) {
        throw invalid(`logs: must not have more than ${String(MAX_LINES)} lines in one call`);
      }
      const storedAt = now();
      const lines = await inSlices(parseLogLines(logs, storedAt));
      const fresh = await broker.append(id, lines.length, (access) =>
        insertLogLines(access, id, lines, storedAt),
      );
      retention.linesStored(fresh.reduce((sum, { size }) => sum + size, 0));
      return {};
    },

    async needsRestart(request, context) {
      await recordAppliedRevision(store, request.id, context, now());
      return {
        id: request.id,
        mustRestart: await acknowledgeRestart(store, request.id, now()),
        restartCheckInterval: { seconds: RESTART_CHECK_SECONDS },
      };
    },
  };
}

function* parseLogLines(
  logs: readonly LogEntry[],
  storedAt: Micros,
): Generator<NewLogLine, NewLogLine[], void> {
  const lines: NewLogLine[] = [];
  for (const [index, entry] of logs.entries()) {
    const field = `logs[${String(index)}]`;
    const { fields, caller = {} } = entry;
    if ([...fields, caller].some((value) => isDeeperThan(value, MAX_LINE_LEVELS))) {
      throw invalid(
        `${field}: must not have more than ${String(MAX_LINE_LEVELS)} levels of fields`,
      );
    }
    const line = toLogLine(entry, storedAt);
    if (line.size > MAX_LINE_BYTES) throw invalid(`${field}: must not be larger than 1 MiB`);
    lines.push(line);
    yield line;
  }
  return lines;
}

/**
 * Returns true if lists and objects are nested more than `levels` deep. A scalar has a depth of 0.
 */
export function isDeeperThan(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
