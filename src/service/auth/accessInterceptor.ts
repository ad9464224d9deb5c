import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import type { RequestValidator } from '../../core/validation/requestValidator';
import type { ResourcePath } from '../store/resourcePath';
import type { Store } from '../store/store';
import type { Authenticator } from './authenticator';
import type { AuthorizationRule, AuthorizationTable } from './authorizationTable';
import { requireMember, requirePermission } from './authorizer';
import { type Principal, principalKey, resourcePathKey } from './principal';

/**
 * Stands before every handler: who calls (token), is the request well formed (the contract's
 * constraints), may the caller do this (the authorization table). In this order, so that nobody
 * learns about a resource by sending half a request.
 */
export function accessInterceptor(
  store: Store,
  authenticator: Authenticator,
  table: AuthorizationTable,
  validator: RequestValidator,
): Interceptor {
  return (next) => async (request) => {
    const rule = table.ruleFor(request.method);
    const principal =
      rule?.kind === 'public'
        ? undefined
        : await authenticator.principal(request.header.get('authorization'));
    if (rule === undefined) {
      throw new ConnectError(`${request.method.name} is not implemented`, Code.Unimplemented);
    }
    if (
      request.stream &&
      rule.kind !== 'public' &&
      rule.kind !== 'identity' &&
      rule.kind !== 'filtered'
    ) {
      throw new Error(`${request.method.name} streams: its rule cannot read the first message`);
    }
    if (!request.stream) {
      const problems = validator.validate(request.method.input, request.message);
      if (problems.length > 0) {
        throw new ConnectError(problems.join('; '), Code.InvalidArgument);
      }
    }
    if (principal !== undefined) {
      request.contextValues.set(principalKey, principal);
      const message = request.stream ? undefined : request.message;
      const path = await authorize(store, principal, rule, message);
      request.contextValues.set(resourcePathKey, path);
    }
    return next(request);
  };
}

async function authorize(
  store: Store,
  principal: Principal,
  rule: AuthorizationRule,
  request: unknown,
): Promise<ResourcePath | undefined> {
  switch (rule.kind) {
    case 'public':
    case 'filtered':
      return undefined;
    case 'identity':
      if (principal.identityType === 'part' || principal.identityType === 'location') {
        throw new ConnectError('machines may not call this', Code.PermissionDenied);
      }
      return undefined;
    case 'member':
      requireMember(principal, rule.organizationId(request as never));
      return undefined;
    case 'self':
      if (principal.partId === undefined || principal.partId !== rule.partId(request as never)) {
        throw new ConnectError(
          'only the part itself may call this, signed in with its secret or that of its location',
          Code.PermissionDenied,
        );
      }
      return undefined;
    case 'permission':
      return requirePermission(store, principal, rule.permission, rule.resource(request as never));
  }
}
