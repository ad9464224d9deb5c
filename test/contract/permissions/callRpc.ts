import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  type Message,
  type MessageInitShape,
  toJson,
} from '@bufbuild/protobuf';
import { Code, ConnectError, type Transport } from '@connectrpc/connect';

/** Result of a call: its responses as JSON text, and the error, if any. */
export interface CallResult {
  answers: string;
  error: ConnectError | undefined;
}

/** Streams that never end on their own; their first response is empty. */
const ENDLESS = new Set(['tailRobotPartLogs']);

/**
 * Calls any RPC, streaming or not, with its requests: exactly one, or more than one for client
 * streams.
 */
export async function callRpc(
  transport: Transport,
  method: DescMethod,
  requests: readonly MessageInitShape<DescMessage>[],
): Promise<CallResult> {
  const answers: unknown[] = [];
  const messages = requests.map((request) => create(method.input, request));
  try {
    for await (const answer of run(transport, method, messages)) {
      answers.push(toJson(method.output, answer), ...documentsIn(answer));
      if (ENDLESS.has(method.localName)) break;
    }
    return { answers: JSON.stringify(answers), error: undefined };
  } catch (error) {
    return { answers: JSON.stringify(answers), error: ConnectError.from(error) };
  }
}

/** Returns the strings in documents, because documents in JSON form can't be searched. */
function documentsIn(answer: Message): string[] {
  const { rawData = [], documents } = answer as Message & {
    rawData?: readonly Uint8Array[];
    documents?: Uint8Array;
  };
  const all = documents === undefined ? rawData : [...rawData, documents];
  return all.map((bytes) => Buffer.from(bytes).toString());
}

async function* run(
  transport: Transport,
  method: DescMethod,
  requests: readonly Message[],
): AsyncIterable<Message> {
  if (isUnary(method)) {
    const [request = create(method.input)] = requests;
    yield (await transport.unary(method, undefined, undefined, undefined, request)).message;
    return;
  }
  const streaming = method as DescMethodStreaming;
  const stream = toStream(requests);
  yield* (await transport.stream(streaming, undefined, undefined, undefined, stream)).message;
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === 'unary';
}

async function* toStream<T>(values: readonly T[]): AsyncIterable<T> {
  yield* await Promise.resolve(values);
}

const WORDS: Partial<Record<Code, string>> = {
  [Code.Unauthenticated]: 'unauthenticated',
  [Code.PermissionDenied]: 'denied',
  [Code.NotFound]: 'notFound',
  [Code.Unimplemented]: 'unimplemented',
};

/** Converts an error to a word of the matrix or, if the matrix has no word for it, to its code. */
export function toOutcomeLabel({ code }: ConnectError): string {
  return WORDS[code] ?? Code[code];
}
