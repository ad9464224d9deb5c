import {
  type DescExtension,
  type DescFile,
  type DescMessage,
  type DescService,
  toBinary,
} from '@bufbuild/protobuf';
import { nestedTypes } from '@bufbuild/protobuf/reflect';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { Code, type HandlerContext, type ServiceImpl } from '@connectrpc/connect';
import type {
  ServerReflection,
  ServerReflectionRequest,
} from '../../gen/grpc/reflection/v1/reflection_pb';
import type {
  ServerReflection as ServerReflectionAlpha,
  ServerReflectionRequest as AlphaRequest,
} from '../../gen/grpc/reflection/v1alpha/reflection_pb';

import { callerAddressKey } from '../auth/principal';
import { shorten } from '../server/http';
import type { StreamLimit } from './streamLimit';

/** Content of a request, which is the same in both versions of the protocol. */
type ReflectionQuery = (ServerReflectionRequest | AlphaRequest)['messageRequest'];

/**
 * Returns the handlers of the gRPC reflection protocol, in its current and its older version. They
 * describe the given services and everything that these refer to.
 * @param streams limit on open streams
 */
export function reflectionHandlers(
  services: readonly DescService[],
  streams: StreamLimit,
): {
  readonly current: ServiceImpl<typeof ServerReflection>;
  readonly alpha: ServiceImpl<typeof ServerReflectionAlpha>;
} {
  let cached: PublicSchema | undefined;
  async function* answerAll<Request extends ServerReflectionRequest | AlphaRequest>(
    requests: AsyncIterable<Request>,
    { values }: HandlerContext,
  ) {
    using _stream = streams.open(values.get(callerAddressKey));
    cached ??= new PublicSchema(services);
    const sent = new Set<DescFile>();
    for await (const originalRequest of requests) {
      const messageResponse = cached.answer(originalRequest.messageRequest, sent);
      yield { validHost: originalRequest.host, originalRequest, messageResponse };
    }
  }
  return {
    current: { serverReflectionInfo: answerAll },
    alpha: { serverReflectionInfo: answerAll },
  };
}

/** Descriptors of the services, and of everything that they refer to. */
class PublicSchema {
  private readonly files = new Map<string, DescFile>();
  private readonly filesBySymbol = new Map<string, DescFile>();
  private readonly messages = new Map<string, DescMessage>();
  private readonly extensions: DescExtension[] = [];
  private readonly encoded = new Map<DescFile, Uint8Array>();

  constructor(private readonly services: readonly DescService[]) {
    for (const { file } of services) this.add(file);
  }

  /**
   * Answers a request.
   * @param sent files that the stream has already returned; the files of this answer are added
   */
  answer(query: ReflectionQuery, sent: Set<DescFile>) {
    switch (query.case) {
      case 'listServices': {
        const service = this.services.map(({ typeName }) => ({ name: typeName }));
        service.sort((a, b) => (a.name < b.name ? -1 : 1));
        return { case: 'listServicesResponse' as const, value: { service } };
      }
      case 'fileByFilename':
        return this.describe(this.files.get(query.value), 'file', query.value, sent);
      case 'fileContainingSymbol': {
        const name = query.value.replace(/^\./, '');
        return this.describe(this.filesBySymbol.get(name), 'symbol', name, sent);
      }
      case 'fileContainingExtension': {
        const { containingType, extensionNumber } = query.value;
        const extension = this.extensions.find(
          ({ extendee, number }) =>
            extendee.typeName === containingType && number === extensionNumber,
        );
        const name = `${containingType}/${String(extensionNumber)}`;
        return this.describe(extension?.file, 'extension', name, sent);
      }
      case 'allExtensionNumbersOfType': {
        const baseTypeName = query.value;
        if (!this.messages.has(baseTypeName)) return notFound('type', baseTypeName);
        const extensionNumber = this.extensions
          .filter(({ extendee }) => extendee.typeName === baseTypeName)
          .map(({ number }) => number);
        return {
          case: 'allExtensionNumbersResponse' as const,
          value: { baseTypeName, extensionNumber },
        };
      }
      case undefined:
        return errorResponse(Code.InvalidArgument, 'the request is missing: set message_request');
    }
  }

  private add(file: DescFile): void {
    if (this.files.has(file.proto.name)) return;
    this.files.set(file.proto.name, file);
    for (const dependency of file.dependencies) this.add(dependency);
    for (const type of nestedTypes(file)) {
      this.filesBySymbol.set(type.typeName, file);
      switch (type.kind) {
        case 'service':
          this.addMembers(type.typeName, type.methods, file);
          break;
        case 'message':
          this.messages.set(type.typeName, type);
          this.addMembers(type.typeName, [...type.fields, ...type.oneofs], file);
          break;
        case 'enum':
          // Values are in the scope that contains their enum.
          this.addMembers(type.typeName.replace(/\.?[^.]+$/, ''), type.values, file);
          break;
        case 'extension':
          this.extensions.push(type);
      }
    }
  }

  private addMembers(scope: string, members: readonly { name: string }[], file: DescFile): void {
    for (const { name } of members) this.filesBySymbol.set(`${scope}.${name}`, file);
  }

  private describe(file: DescFile | undefined, kind: string, name: string, sent: Set<DescFile>) {
    if (file === undefined) return notFound(kind, name);
    const fileDescriptorProto: Uint8Array[] = [this.encode(file)];
    sent.add(file);
    const addImports = ({ dependencies }: DescFile): void => {
      for (const dependency of dependencies) {
        if (sent.has(dependency)) continue;
        sent.add(dependency);
        fileDescriptorProto.push(this.encode(dependency));
        addImports(dependency);
      }
    };
    addImports(file);
    return { case: 'fileDescriptorResponse' as const, value: { fileDescriptorProto } };
  }

  private encode(file: DescFile): Uint8Array {
    const encoded = this.encoded.get(file) ?? toBinary(FileDescriptorProtoSchema, file.proto);
    this.encoded.set(file, encoded);
    return encoded;
  }
}

function notFound(kind: string, name: string) {
  return errorResponse(Code.NotFound, `${kind} "${shorten(name)}" not found`);
}

function errorResponse(errorCode: Code, errorMessage: string) {
  return { case: 'errorResponse' as const, value: { errorCode, errorMessage } };
}
