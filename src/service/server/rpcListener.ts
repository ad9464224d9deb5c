import type { DescMethod } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  type ConnectRouter,
  type ContextValues,
  createConnectRouter,
  type Interceptor,
} from '@connectrpc/connect';
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from '@connectrpc/connect-node';
import type { UniversalHandler, UniversalServerResponse } from '@connectrpc/connect/protocol';
import type { Logger } from '../../base/logger';
import { answerError, resetUnread } from './answerError';
import { gathered } from './gathered';
import { type HttpListener, type HttpRequest, pathOf } from './http';
import { internalErrorInterceptor } from './internalErrorInterceptor';

/**
 * Finds out from the headers who calls, before the body is read, and returns what the interceptors may rely
 * on. Throws Unauthenticated.
 */
export type Admit = (method: DescMethod, caller: CallerHead) => Promise<ContextValues>;

/** What is known of a caller before the body is read. */
export interface CallerHead {
  /** The header of that name. */
  authorization: string | undefined;
  /** The address of the other end of the connection. */
  address: string | undefined;
}

export interface RpcListenerOptions {
  routes: (router: ConnectRouter) => void;
  interceptors: readonly Interceptor[];
  /** Absent, the interceptors alone decide, after the body was read. */
  admit?: Admit | undefined;
  logger: Logger;
  /** Aborts the signals of the calls that are under way. */
  shutdownSignal: AbortSignal;
}

const MEBIBYTE = 1024 * 1024;

/** Clients put whole files of 64 MiB into one message; the rest is room for what describes them. */
const MAX_MESSAGE_BYTES = 65 * MEBIBYTE;

/**
 * More than an answer has: none is compressed, as none is by the public cloud. The public TypeScript
 * client reads wrong numbers out of compressed rows: it takes what its inflater gives for a copy.
 */
const MIN_COMPRESSED_BYTES = MAX_MESSAGE_BYTES + 1;

/** What a timer of Node can wait at most: almost 25 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** The protocol of gRPC allows eight digits, in which shorter units cannot reach that. */
const GRPC_TIMEOUT = /^(\d{1,8})([HMS])$/;
const LONG_UNITS_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000 };

/**
 * Serves RPCs over gRPC, gRPC-web and Connect. Answers Unauthenticated before it reads a body, and
 * Unimplemented for every path it does not know. connect-node's own adapter prints failures on the console; here they go to the log.
 */
export function createRpcListener(options: RpcListenerOptions): HttpListener {
  const router = createConnectRouter({
    interceptors: [internalErrorInterceptor(options.logger), ...options.interceptors],
    acceptCompression: [compressionGzip, compressionBrotli],
    compressMinBytes: MIN_COMPRESSED_BYTES,
    readMaxBytes: MAX_MESSAGE_BYTES,
    writeMaxBytes: MAX_MESSAGE_BYTES,
    shutdownSignal: options.shutdownSignal,
  });
  options.routes(router);
  const admit = async (
    { method }: UniversalHandler,
    { headers, socket }: HttpRequest,
  ): Promise<ContextValues | undefined> => {
    try {
      return await options.admit?.(method, {
        authorization: headers.authorization,
        address: socket.remoteAddress,
      });
    } catch (error) {
      if (ConnectError.from(error).code === Code.Unauthenticated) throw error;
      // The interceptors look for the caller again, and answer what keeps them from it.
      return undefined;
    }
  };
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));

  return (request, response) => {
    const path = pathOf(request);
    const handler = handlers.get(path);
    if (handler === undefined) {
      const message = `there is no ${path}: the service does not implement this method`;
      answerError(request, response, new ConnectError(message, Code.Unimplemented));
      return;
    }
    admit(handler, request)
      .then(
        (values) => {
          removeEndlessTimeouts(request);
          resetUnread(request, response);
          return handler(universalRequestFromNodeRequest(request, response, undefined, values));
        },
        (error: unknown) => {
          answerError(request, response, ConnectError.from(error));
          return undefined;
        },
      )
      .then(
        (answer) =>
          answer && universalResponseToNodeResponse(inFewPieces(handler, answer), response),
      )
      .catch((error: unknown) => {
        // What handlers throw is answered; here the answer could not be sent: the caller is gone.
        const { code, rawMessage } = ConnectError.from(error);
        options.logger.debug('an answer was not sent', { path, code: Code[code], rawMessage });
        response.destroy();
      });
  };
}

/** Answers of many messages are sent in fewer pieces than they have messages. */
function inFewPieces({ method }: UniversalHandler, answer: UniversalServerResponse) {
  const isStream =
    method.methodKind === 'server_streaming' || method.methodKind === 'bidi_streaming';
  return isStream && answer.body ? { ...answer, body: gathered(answer.body) } : answer;
}

/**
 * Takes a timeout that no timer of Node can wait for as none. The library would set a timer that
 * ends the call at once.
 */
function removeEndlessTimeouts({ headers }: HttpRequest): void {
  const [, amount, unit = ''] = GRPC_TIMEOUT.exec(String(headers['grpc-timeout'])) ?? [];
  if (Number(amount) * (LONG_UNITS_MS[unit] ?? 0) > LONGEST_TIMER_MS) {
    delete headers['grpc-timeout'];
  }
  if (Number(headers['connect-timeout-ms']) > LONGEST_TIMER_MS) {
    delete headers['connect-timeout-ms'];
  }
}
