import type { DescMessage, DescMethod, MessageShape } from '@bufbuild/protobuf';
import type { ResourceRef } from '../store/resourcePath';
import type { Permission } from './permissions';

/** What a caller must bring for one RPC. */
export type AuthorizationRule =
  /** Anybody, signed in or not. */
  | { kind: 'public' }
  /** Any signed-in API key; machines are refused. */
  | { kind: 'identity' }
  /** Anybody signed in; the answer holds only what the caller may read. */
  | { kind: 'filtered' }
  /** Any role in the organization. */
  | { kind: 'member'; organizationId: (request: never) => string }
  /** The very part that the request names, signed in with its own or its location's secret. */
  | { kind: 'self'; partId: (request: never) => string }
  /** A role that confers the permission on the resource that the request names. */
  | { kind: 'permission'; permission: Permission; resource: (request: never) => ResourceRef };

type Request<M extends DescMethod> = MessageShape<M['input'] & DescMessage>;

/** The rules of RPCs by their names; who extends it writes them down. */
export abstract class AuthorizationRules {
  readonly #rules = new Map<string, AuthorizationRule>();

  /** The rule of an RPC, or undefined when this service does not serve it. */
  ruleFor(method: DescMethod): AuthorizationRule | undefined {
    return this.#rules.get(keyOf(method));
  }

  /** The RPCs that have a rule, as `package.Service/Method`. */
  methods(): string[] {
    return [...this.#rules.keys()];
  }

  protected public(method: DescMethod): void {
    this.#rules.set(keyOf(method), { kind: 'public' });
  }

  protected identity(method: DescMethod): void {
    this.#rules.set(keyOf(method), { kind: 'identity' });
  }

  protected filtered(method: DescMethod): void {
    this.#rules.set(keyOf(method), { kind: 'filtered' });
  }

  protected member<M extends DescMethod>(
    method: M,
    organizationId: (request: Request<M>) => string,
  ): void {
    this.#rules.set(keyOf(method), { kind: 'member', organizationId });
  }

  protected self<M extends DescMethod>(method: M, partId: (request: Request<M>) => string): void {
    this.#rules.set(keyOf(method), { kind: 'self', partId });
  }

  protected on<M extends DescMethod>(
    method: M,
    permission: Permission,
    resource: (request: Request<M>) => ResourceRef,
  ): void {
    this.#rules.set(keyOf(method), { kind: 'permission', permission, resource });
  }
}

function keyOf(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}
