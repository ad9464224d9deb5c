import { createHash } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Clock } from '../../base/clock';
import type { Decision, ToolSession } from '../../core/agentTools/agentTool';
import { FleetError } from '../../core/api/errors';
import type { Confirmation } from '../../core/confirmations/confirmation';

/** Time in milliseconds in which a person can answer a question. */
const LIFETIME_MS = 15 * 60_000;
/**
 * Time in milliseconds in which an unanswered question prevents others. Shorter than its lifetime,
 * because a client can lose a question.
 */
const EXCLUSIVE_MS = 2 * 60_000;
const MAX_PENDING = 100;

/** Key of the question in a request for input. */
const QUESTION = 'confirm';

/** Question that was sent to a person. */
interface PendingQuestion {
  /** Digest of the call and of the question. */
  readonly digest: string;
  /** Time in milliseconds since 1970. */
  readonly sentAt: number;
}

/**
 * Questions to people, which the client shows in a form. The client then repeats the call with the
 * answer (protocol of 2026), or the server library repeats it (protocol of 2025). An answer is valid
 * once, and only for the same call and the same question: if the effects have changed in the
 * meantime, the person is prompted again.
 */
export class Confirmations {
  private readonly pending = new Map<string, PendingQuestion>();

  constructor(
    private readonly clock: Clock,
    private readonly createId: ToolSession['createId'],
  ) {}

  /** Returns the questions of one call. */
  forCall(tool: string, input: unknown, { mcpReq }: ServerContext): CallConfirmation {
    let request: InputRequiredResult | undefined;
    return {
      get request() {
        return request;
      },
      confirm: (confirmation) => {
        const digest = createHash('sha256')
          .update(JSON.stringify([tool, input, confirmation]))
          .digest('hex');
        const decision = this.decide(digest, mcpReq);
        if (decision === 'pending') request = this.createRequest(digest, confirmation, mcpReq);
        return Promise.resolve(decision);
      },
    };
  }

  /** Returns true if a call repeats an earlier one with the answer to its question. */
  isAnswer({ mcpReq }: ServerContext): boolean {
    const id: unknown = mcpReq.requestState();
    return typeof id === 'string' && this.pending.has(id);
  }

  private decide(digest: string, mcpReq: ServerContext['mcpReq']): Decision {
    const id: unknown = mcpReq.requestState();
    const question = typeof id === 'string' ? this.pending.get(id) : undefined;
    if (typeof id === 'string') this.pending.delete(id);
    if (question?.digest !== digest) return 'pending';
    if (this.getAge(question) >= LIFETIME_MS) return 'pending';
    const response = inputResponse(mcpReq.inputResponses, QUESTION);
    if (response.kind === 'missing') return 'pending';
    const isAccepted =
      response.kind === 'elicit' &&
      response.action === 'accept' &&
      response.content?.[QUESTION] === true;
    return isAccepted ? 'accepted' : 'declined';
  }

  private getAge({ sentAt }: PendingQuestion): number {
    return this.clock.now().getTime() - sentAt;
  }

  /** @throws FleetError `unavailable` if another question waits for its answer */
  private createRequest(
    digest: string,
    { question, detail, action }: Confirmation,
    { signal }: ServerContext['mcpReq'],
  ): InputRequiredResult {
    if ([...this.pending.values()].some((one) => this.getAge(one) < EXCLUSIVE_MS)) {
      throw new FleetError(
        'unavailable',
        'Another question waits for the answer of a person. Make one change at a time.',
      );
    }
    const id = this.createId();
    this.pending.set(id, { digest, sentAt: this.clock.now().getTime() });
    signal.addEventListener('abort', () => this.pending.delete(id));
    const [oldest] = this.pending.keys();
    if (this.pending.size > MAX_PENDING && oldest !== undefined) this.pending.delete(oldest);
    const form = inputRequired.elicit({
      message: toPlainText(`${question}\n\n${detail}`),
      requestedSchema: {
        type: 'object',
        properties: {
          [QUESTION]: {
            type: 'boolean',
            title: action,
            description: 'An agent requests this change. Nothing is changed unless you agree.',
            default: false,
          },
        },
        required: [QUESTION],
      },
    });
    return inputRequired({ inputRequests: { [QUESTION]: form }, requestState: id });
  }
}

/** Replaces characters with which names could form HTML or code in clients that render Markdown. */
function toPlainText(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('`', "'");
}

/** Questions of one call. */
export interface CallConfirmation {
  readonly confirm: (confirmation: Confirmation) => Promise<Decision>;
  /** Request for an answer; undefined unless a question is pending. */
  readonly request: InputRequiredResult | undefined;
}

/**
 * Server after the handshake of the protocol of 2025, in which clients state their capabilities. Its
 * library has no other access to them.
 */
interface InitializedServer {
  getClientCapabilities(): ClientCapabilities | undefined;
}

/** Returns true if the client can show a form to a person. */
export function canPrompt(server: InitializedServer, { mcpReq }: ServerContext): boolean {
  // Since the protocol of 2026, each request has the capabilities of the client.
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const current = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const capabilities = current ?? server.getClientCapabilities();
  const elicitation = capabilities?.elicitation;
  if (!elicitation) return false;
  // Before there were modes, the capability had no members and stood for forms.
  return elicitation.form !== undefined || elicitation.url === undefined;
}
