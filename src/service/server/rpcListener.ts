import {
  Code,
  ConnectError,
  type ConnectRouter,
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
import { gathered } from './gathered';
import { type HttpListener, type HttpRequest, type HttpResponse, pathOf, refuse } from './http';
import { internalErrorInterceptor } from './internalErrorInterceptor';

export interface RpcListenerOptions {
  routes: (router: ConnectRouter) => void;
  interceptors: readonly Interceptor[];
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

const GRPC_CONTENT_TYPE = /^application\/grpc(-web)?(-text)?(\+[a-z]+)?\s*(;|$)/i;

/**
 * Serves RPCs over gRPC, gRPC-web and Connect, and answers Unimplemented for every path it does
 * not know. connect-node's own adapter prints failures on the console; here they go to the log.
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
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));

  return (request, response) => {
    const path = pathOf(request);
    const handler = handlers.get(path);
    if (handler === undefined) {
      answerUnknownPath(request, response, path);
      return;
    }
    removeEndlessTimeouts(request);
    handler(universalRequestFromNodeRequest(request, response, undefined, undefined))
      .then((answer) => universalResponseToNodeResponse(inFewPieces(handler, answer), response))
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

/** gRPC clients read a status, Connect clients take 404 for Unimplemented. */
function answerUnknownPath(request: HttpRequest, response: HttpResponse, path: string): void {
  const contentType = request.headers['content-type'] ?? '';
  if (!GRPC_CONTENT_TYPE.test(contentType)) {
    refuse(request, response, 404, 'There is nothing at this path.');
    return;
  }
  response.statusCode = 200;
  response.setHeader('content-type', contentType);
  response.setHeader('grpc-status', Code.Unimplemented);
  response.setHeader('grpc-message', encodeURIComponent(`${path} is not implemented`));
  response.end();
}
