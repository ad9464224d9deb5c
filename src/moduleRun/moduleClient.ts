import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  create,
  createFileRegistry,
  type DescField,
  type DescMessage,
  type DescService,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { type Client, Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import type { RunMethod } from '../core/modules/run/runMessages';
import {
  ServerReflection,
  type ServerReflectionRequest,
} from '../gen/grpc/reflection/v1alpha/reflection_pb';
import { type HandlerDefinition, ModuleService } from '../gen/viam/module/v1/module_pb';
import { toSocketOptions } from './runAddresses';
import { ModuleRunError } from './moduleProcess';

/** Maximum depth of nested messages in a template. */
const MAX_DEPTH = 4;
/**
 * Fields that contain the name of the resource. The field is called `name` except in a few APIs.
 */
const NAME_FIELDS: ReadonlySet<string> = new Set(['name', 'controller', 'board_name']);
const NAME_NUMBER = 1;
/** Field that most requests have but few callers use. */
const EXTRA_FIELD = 'extra';

/** Finds the field in a request that contains the resource name. */
function findNameField(input: DescMessage): DescField | undefined {
  return input.fields.find(({ name, number }) => number === NAME_NUMBER && NAME_FIELDS.has(name));
}

/**
 * Returns a request as JSON that contains a value for each field except the resource's name and the
 * extra parameters.
 */
function createRequestTemplate(input: DescMessage): JsonObject {
  const nameField = findNameField(input);
  const fields = input.fields.filter((field) => field !== nameField && field.name !== EXTRA_FIELD);
  return createFields(input, fields, MAX_DEPTH);
}

function createFields(
  message: DescMessage,
  fields: readonly DescField[],
  depth: number,
): JsonObject {
  const defaults = toJson(message, create(message), { alwaysEmitImplicit: true }) as JsonObject;
  const entries = fields.flatMap((field): [string, JsonValue][] => {
    const preset = defaults[field.jsonName];
    if (preset !== undefined) return [[field.jsonName, preset]];
    // Users can add optional fields and the selected member of a oneof themselves.
    if (field.fieldKind !== 'message' || field.oneof) return [];
    return [[field.jsonName, createMessage(field.message, depth - 1)]];
  });
  return Object.fromEntries(entries);
}

function createMessage(message: DescMessage, depth: number): JsonValue {
  switch (message.typeName) {
    case 'google.protobuf.Struct':
      return {};
    case 'google.protobuf.Duration':
      return '0s';
    case 'google.protobuf.Timestamp':
      return '1970-01-01T00:00:00Z';
  }
  if (message.typeName.startsWith('google.protobuf.')) return null;
  return depth > 0 ? createFields(message, message.fields, depth) : {};
}

const READY_POLL_MS = 100;
/**
 * Timeout in milliseconds after which an unanswered Ready request is sent again, as machines do.
 */
const READY_CALL_TIMEOUT_MS = 3_000;
/**
 * Maximum number of messages to read from a stream. It is limited because a stream can be endless.
 */
const MAX_STREAM_ANSWERS = 10;
/** Error codes of calls to a module that is not listening yet. */
const NOT_LISTENING: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.ResourceExhausted,
  Code.DeadlineExceeded,
  Code.Canceled,
]);

/** Calls a running module, using the module protocol and the module's own APIs. */
export class ModuleClient {
  readonly modules: Client<typeof ModuleService>;
  private readonly transport: Transport;

  /** @param address address that the module listens on */
  constructor(address: string) {
    this.transport = createGrpcTransport({
      baseUrl: 'http://module',
      nodeOptions: { createConnection: () => connect(toSocketOptions(address)) },
    });
    this.modules = createClient(ModuleService, this.transport);
  }

  /**
   * Waits until the module is ready.
   *
   * @param parentAddress the mock machine server's address
   * @returns the models that the module registers
   * @throws ModuleRunError if the module rejects the request; the signal's reason when it aborts
   */
  async waitUntilReady(
    parentAddress: string,
    signal: AbortSignal,
  ): Promise<readonly HandlerDefinition[]> {
    for (;;) {
      signal.throwIfAborted();
      try {
        const options = { signal, timeoutMs: READY_CALL_TIMEOUT_MS };
        const { ready, handlermap } = await this.modules.ready({ parentAddress }, options);
        if (ready) return handlermap?.handlers ?? [];
      } catch (error) {
        signal.throwIfAborted();
        const { rawMessage: reason } = ConnectError.from(error);
        if (!isNotListening(error)) throw new ModuleRunError({ kind: 'readyFailed', reason });
      }
      await sleep(READY_POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * Reads the description of a module's service by reflection.
   *
   * @throws ModuleRunError if the module doesn't describe the service or all of its imports
   */
  async describe(api: string, typeName: string, signal: AbortSignal): Promise<DescribedApi> {
    try {
      const files = new Map<string, FileDescriptorProto>();
      const [main] = await this.reflect(
        { case: 'fileContainingSymbol', value: typeName },
        files,
        signal,
      );
      if (!main) throw new Error('the response has no file');
      const pending = [main.name];
      for (const name of pending) {
        const imports = files.get(name)?.dependency ?? [];
        for (const value of imports) {
          if (!files.has(value)) {
            await this.reflect({ case: 'fileByFilename', value }, files, signal);
          }
          if (!pending.includes(value)) pending.push(value);
        }
      }
      const registry = createFileRegistry(main, (name) => files.get(name));
      const service = registry.getService(typeName);
      if (!service) throw new Error(`${main.name} does not declare ${typeName}`);
      return new DescribedApi(this.transport, service, registry);
    } catch (error) {
      signal.throwIfAborted();
      const { rawMessage: reason } = ConnectError.from(error);
      throw new ModuleRunError({ kind: 'apiUnknown', api, reason });
    }
  }

  /** Sends a reflection request, adds the files in its response, and returns them. */
  private async reflect(
    messageRequest: ServerReflectionRequest['messageRequest'],
    files: Map<string, FileDescriptorProto>,
    signal: AbortSignal,
  ): Promise<readonly FileDescriptorProto[]> {
    const client = createClient(ServerReflection, this.transport);
    const answers = client.serverReflectionInfo(sendOnce({ messageRequest }), { signal });
    for await (const { messageResponse } of answers) {
      if (messageResponse.case === 'errorResponse') {
        throw new Error(messageResponse.value.errorMessage);
      }
      if (messageResponse.case !== 'fileDescriptorResponse') continue;
      const received = messageResponse.value.fileDescriptorProto.map((bytes) =>
        fromBinary(FileDescriptorProtoSchema, bytes),
      );
      for (const file of received) files.set(file.name, file);
      return received;
    }
    throw new Error('the stream has no response');
  }
}

type Registry = ReturnType<typeof createFileRegistry>;

/** API that a module describes, for calls with JSON messages. */
export class DescribedApi {
  constructor(
    private readonly transport: Transport,
    private readonly service: DescService,
    private readonly registry: Registry,
  ) {}

  /** Methods that take a single request. */
  get methods(): readonly RunMethod[] {
    return this.service.methods
      .filter(({ methodKind }) => methodKind === 'unary' || methodKind === 'server_streaming')
      .map(({ name, input, methodKind }) => ({
        name,
        template: createRequestTemplate(input),
        isStreaming: methodKind === 'server_streaming',
      }));
  }

  /**
   * Calls a method on a resource.
   *
   * @returns the response; for a stream, a list of the first responses
   * @throws ModuleRunError if the request doesn't match the method or the method fails
   */
  async call(
    methodName: string,
    resource: string,
    request: JsonObject,
    signal: AbortSignal,
  ): Promise<JsonValue> {
    const method = this.service.methods.find(({ name }) => name === methodName);
    if (!method) throw new Error(`There is no method ${methodName}.`);
    const { registry, transport } = this;
    const message = ((): Message => {
      try {
        const nameField = findNameField(method.input);
        const named = nameField ? { ...request, [nameField.jsonName]: resource } : request;
        return fromJson(method.input, named, { registry });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new ModuleRunError({ kind: 'requestInvalid', method: methodName, reason });
      }
    })();
    const toAnswer = (answer: Message): JsonValue =>
      toJson(method.output, answer, { registry, alwaysEmitImplicit: true });
    try {
      switch (method.methodKind) {
        case 'unary': {
          const unary = { ...method, methodKind: 'unary' as const };
          const answer = await transport.unary(unary, signal, undefined, undefined, message);
          return toAnswer(answer.message);
        }
        case 'server_streaming': {
          const input = sendOnce(message);
          const streaming = { ...method, methodKind: 'server_streaming' as const };
          const finished = new AbortController();
          const either = AbortSignal.any([signal, finished.signal]);
          try {
            const stream = await transport.stream(streaming, either, undefined, undefined, input);
            const answers: JsonValue[] = [];
            for await (const answer of stream.message) {
              answers.push(toAnswer(answer));
              if (answers.length === MAX_STREAM_ANSWERS) break;
            }
            return answers;
          } finally {
            // Ends the stream; otherwise, the module would continue to send messages.
            finished.abort();
          }
        }
        default:
          throw new Error(`${methodName} requires a stream of requests.`);
      }
    } catch (error) {
      if (signal.aborted) throw new ModuleRunError({ kind: 'canceled' });
      throw new ModuleRunError({
        kind: 'callFailed',
        method: methodName,
        reason: formatCallError(error),
      });
    }
  }
}

/** Returns a failed call's code and message. */
export function formatCallError(error: unknown): string {
  return ConnectError.from(error).message;
}

function isNotListening(error: unknown): boolean {
  const { code, cause } = ConnectError.from(error);
  return NOT_LISTENING.has(code) || (cause instanceof Error && 'syscall' in cause);
}

async function* sendOnce<T>(item: T): AsyncGenerator<T> {
  yield await Promise.resolve(item);
}
