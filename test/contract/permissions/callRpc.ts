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

/** What came of a call: its answers as JSON text, and the refusal if there was one. */
export interface CallResult {
  answers: string;
  refusal: ConnectError | undefined;
}

/** Streams that go on until their reader goes; they begin with an answer of their own. */
const ENDLESS = new Set(['tailRobotPartLogs']);

/** Calls any RPC, streaming or not, with its requests: one, but for streams of several. */
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
      if (ENDLESS.has(method.localName)) {
        break;
      }
    }
    return { answers: JSON.stringify(answers), refusal: undefined };
  } catch (error) {
    return { answers: JSON.stringify(answers), refusal: ConnectError.from(error) };
  }
}

/** The texts in documents, which JSON has in a form that cannot be searched. */
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
  const stream = streamOf(requests);
  yield* (await transport.stream(streaming, undefined, undefined, undefined, stream)).message;
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === 'unary';
}

async function* streamOf<T>(values: readonly T[]): AsyncIterable<T> {
  yield* await Promise.resolve(values);
}

const WORDS: Partial<Record<Code, string>> = {
  [Code.Unauthenticated]: 'unauthenticated',
  [Code.PermissionDenied]: 'denied',
  [Code.NotFound]: 'notFound',
  [Code.Unimplemented]: 'unimplemented',
};

/** A refusal in the words of the matrix; those that it does not have are named by their code. */
export function wordOf({ code }: ConnectError): string {
  return WORDS[code] ?? Code[code];
}
