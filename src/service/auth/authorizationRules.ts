import type { DescMessage, DescMethod, MessageShape } from '@bufbuild/protobuf';
import type { ResourceRef } from '../store/resourcePath';
import type { Permission } from './permissions';

/** Requirement for the caller of one RPC. */
export type AuthorizationRule =
  /** Any caller, signed in or not. */
  | { kind: 'public' }
  /** Any signed-in API key; machines are rejected. */
  | { kind: 'identity' }
  /** Any signed-in caller; the response contains only resources that the caller can read. */
  | { kind: 'filtered' }
  /** Any role in the organization. */
  | { kind: 'member'; organizationId: (request: never) => string }
  /**
   * The part that the request specifies, signed in with its own secret or the secret of its
   * location.
   */
  | { kind: 'self'; partId: (request: never) => string }
  /** A role that grants the permission on the resource in the request. */
  | { kind: 'permission'; permission: Permission; resource: (request: never) => ResourceRef };

type Request<M extends DescMethod> = MessageShape<M['input'] & DescMessage>;

/** Authorization rules of RPCs by name. Subclasses define the rules. */
export abstract class AuthorizationRules {
  readonly #rules = new Map<string, AuthorizationRule>();

  /** Returns the rule of an RPC; undefined if this service doesn't support the RPC. */
  ruleFor(method: DescMethod): AuthorizationRule | undefined {
    return this.#rules.get(toMethodKey(method));
  }

  /** Returns the RPCs with a rule, as `package.Service/Method`. */
  methods(): string[] {
    return [...this.#rules.keys()];
  }

  protected public(method: DescMethod): void {
    this.#rules.set(toMethodKey(method), { kind: 'public' });
  }

  protected identity(method: DescMethod): void {
    this.#rules.set(toMethodKey(method), { kind: 'identity' });
  }

  protected filtered(method: DescMethod): void {
    this.#rules.set(toMethodKey(method), { kind: 'filtered' });
  }

  protected member<M extends DescMethod>(
    method: M,
    organizationId: (request: Request<M>) => string,
  ): void {
    this.#rules.set(toMethodKey(method), { kind: 'member', organizationId });
  }

  protected self<M extends DescMethod>(method: M, partId: (request: Request<M>) => string): void {
    this.#rules.set(toMethodKey(method), { kind: 'self', partId });
  }

  protected on<M extends DescMethod>(
    method: M,
    permission: Permission,
    resource: (request: Request<M>) => ResourceRef,
  ): void {
    this.#rules.set(toMethodKey(method), { kind: 'permission', permission, resource });
  }
}

function toMethodKey(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}
