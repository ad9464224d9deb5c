import type { DescField, Message } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { encodeStructAhead, MAX_SMALL_LENGTH } from '../messages/structField';
import type { HandlerDependencies } from './handlerSupport';

/**
 * Maximum total length of texts that can be parsed and encoded in one step without a noticeable
 * delay.
 */
const MAX_SMALL_TOTAL_LENGTH = 256 * 1024;

export interface ConfigDescription<Row, Described> {
  /** Returns the length of the texts that `describe` parses. */
  readonly getLength: (row: Row) => number;
  readonly describe: (row: Row) => Described;
  /** Lists the Structs that contain the parsed texts, each as a message and its field. */
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
