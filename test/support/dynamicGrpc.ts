import {
  createFileRegistry,
  type DescService,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { createClient, type Transport } from '@connectrpc/connect';

/**
 * Calls services that are known only at run time, by their descriptors, as machines call modules.
 */
export class DynamicGrpc {
  private readonly registry;

  /** @param descriptors a serialized FileDescriptorSet */
  constructor(
    private readonly transport: Transport,
    descriptors: Uint8Array,
  ) {
    this.registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptors));
  }

  /**
   * Calls `package.Service/Method` with JSON messages: sends one request and returns the first
   * response.
   */
  async call(name: string, request: JsonObject): Promise<JsonValue> {
    const [typeName = '', methodName] = name.split('/');
    const service = this.service(typeName);
    const method = service.methods.find((one) => one.name === methodName);
    if (!method) throw new Error(`There is no ${name}.`);
    // The type of a client for a service that isn't known at compile time has no methods.
    const client = createClient(service, this.transport) as unknown as Record<string, unknown>;
    const message = fromJson(method.input, request);
    if (method.methodKind === 'unary') {
      const send = client[method.localName] as (request: Message) => Promise<Message>;
      return toJson(method.output, await send(message));
    }
    const exchange = client[method.localName] as (
      requests: AsyncIterable<Message>,
    ) => AsyncIterable<Message>;
    for await (const answer of exchange(once(message))) return toJson(method.output, answer);
    throw new Error(`${name} answered nothing.`);
  }

  private service(typeName: string): DescService {
    const service = this.registry.getService(typeName);
    if (!service) throw new Error(`There is no ${typeName}.`);
    return service;
  }
}

async function* once<T>(item: T): AsyncGenerator<T> {
  yield await Promise.resolve(item);
}
