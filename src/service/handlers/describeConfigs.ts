import type { DescField, Message } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { encodeStructAhead, MAX_SMALL_LENGTH } from '../messages/structField';
import { getCaller, getResourcePath, type HandlerDependencies } from './handlerSupport';
import { type RobotPart, RobotPartSchema } from '../../gen/viam/app/v1/machine_pb';
import { RESTART_MARK_HEADER } from '../../core/model/contractExtensions';
import { may } from '../auth/authorizer';
import { ConfigBudget } from '../config/configRules';
import type { ConfigDocument } from '../config/configText';
import { notFound } from '../errors';
import { partMessage } from '../messages/machineMessages';
import { findPart, type PartInLocation } from '../store/parts';
import { restartMark } from '../store/restarts';
import { describeConfigStates } from './configStates';

/**
 * Maximum total length of config text that can be parsed and encoded in one step without a
 * noticeable delay.
 */
const MAX_SMALL_TOTAL_LENGTH = 256 * 1024;

export interface ConfigDescription<Row, Described> {
  /** Returns the length of the text that `describe` parses. */
  readonly getLength: (row: Row) => number;
  readonly describe: (row: Row) => Described;
  /** Lists the Structs that contain the parsed text, each as a message and its field. */
  readonly listStructs: (described: Described) => readonly (readonly [Message, DescField])[];
}

type Dependencies = Pick<HandlerDependencies, 'documentWork'>;

/**
 * Describes rows with configs. Parses each large config in a separate tick of the event loop, and
 * encodes it in slices. Must run as large work if any config might be large.
 */
export async function describeConfigs<Row, Described>(
  dependencies: Dependencies,
  context: HandlerContext,
  rows: readonly Row[],
  description: ConfigDescription<Row, Described>,
): Promise<Described[]> {
  const lengths = rows.map((row) => description.getLength(row));
  const isLargeTotal = lengths.reduce((sum, length) => sum + length, 0) > MAX_SMALL_TOTAL_LENGTH;
  const all: Described[] = [];
  for (const row of rows) {
    all.push(await describeConfig(dependencies, context, row, description, isLargeTotal));
  }
  return all;
}

/** Like `describeConfigs`, but for one row. */
export async function describeConfig<Row, Described>(
  { documentWork }: Dependencies,
  context: HandlerContext,
  row: Row,
  { getLength, describe, listStructs }: ConfigDescription<Row, Described>,
  isLargeTotal = false,
): Promise<Described> {
  const isLarge = isLargeTotal || getLength(row) > MAX_SMALL_LENGTH;
  if (isLarge) await documentWork.waitForTurn(context.signal);
  const described = describe(row);
  for (const [message, field] of isLarge ? listStructs(described) : []) {
    await encodeStructAhead(message, field, context, documentWork);
  }
  return described;
}

/**
 * Returns the wire format of the requested machine's parts. Includes configs and secrets only if
 * the caller can read them. Configs and secrets require separate permissions. Includes metadata
 * only if it is small, because it accompanies configs that can fill a message.
 * @param parsedConfig config that has already been parsed. If it belongs to one of the parts, it
 *   isn't parsed again.
 */
export async function describeParts(
  dependencies: HandlerDependencies,
  rows: readonly PartInLocation[],
  context: HandlerContext,
  parsedConfig?: ConfigDocument,
): Promise<RobotPart[]> {
  const { store, machineSecrets, now } = dependencies;
  const principal = getCaller(context);
  const path = getResourcePath(context);
  const config = may(principal, 'read_robot_config', path);
  const secrets = may(principal, 'read_robot_secret', path)
    ? await machineSecrets.listByOwner(
        store,
        'part',
        rows.map((row) => row.id),
      )
    : undefined;
  const present = now();
  const metadata = new ConfigBudget({ own: MAX_SMALL_TOTAL_LENGTH, others: 0 });
  return describeConfigs(dependencies, context, rows, {
    getLength: (row) => (config ? row.config_json.length : 0),
    describe: (row) =>
      partMessage(row, present, {
        config,
        metadata:
          row.metadata.length <= MAX_SMALL_LENGTH &&
          metadata.tryConsume('own', row.metadata.length),
        parsedConfig,
        secrets: secrets === undefined ? undefined : (secrets.get(row.id) ?? []),
      }),
    listStructs: (part) => [[part, RobotPartSchema.field.robotConfig]],
  });
}

/**
 * Returns the wire format of the requested part. Response headers report whether a restart has been
 * requested and which config the machine has fetched.
 * @throws NotFound if the part has been deleted.
 */
export async function describePart(
  dependencies: HandlerDependencies,
  id: string,
  context: HandlerContext,
): Promise<RobotPart> {
  const row = await findPart(dependencies.store, id);
  if (row === undefined) throw notFound('part', id);
  return describePartRow(dependencies, row, context);
}

/**
 * Like `describePart`, but for a part that has already been read.
 * @param parsedConfig as for `describeParts`
 */
export async function describePartRow(
  dependencies: HandlerDependencies,
  row: PartInLocation,
  context: HandlerContext,
  parsedConfig?: ConfigDocument,
): Promise<RobotPart> {
  context.responseHeader.set(RESTART_MARK_HEADER, restartMark(row));
  await describeConfigStates(dependencies.store, [row], context);
  const [part] = await describeParts(dependencies, [row], context, parsedConfig);
  if (part === undefined) throw notFound('part', row.id);
  return part;
}
