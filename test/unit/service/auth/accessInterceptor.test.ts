import assert from 'node:assert/strict';
import { createClient, createRouterTransport } from '@connectrpc/connect';
import { requestValidator } from '../../../../src/core/validation/requestValidator';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { accessInterceptor, createAdmission } from '../../../../src/service/auth/accessInterceptor';
import type { Authenticator } from '../../../../src/service/auth/authenticator';
import { AuthorizationTable } from '../../../../src/service/auth/authorizationTable';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import { storeErrorInterceptor } from '../../../../src/service/store/storeErrors';
import { silentLogger } from '../../../support/silentLogger';

describe('accessInterceptor', () => {
  it('reports the error of an admission without authenticating again, which would take as long', async () => {
    let attempts = 0;
    const authenticator: Pick<Authenticator, 'principal'> = {
      principal: () => {
        attempts += 1;
        return Promise.reject(Object.assign(new Error('no response'), { code: 'ETIMEDOUT' }));
      },
    };
    const table = new AuthorizationTable();
    await using store = await openSqliteStore(undefined);
    const admit = createAdmission(authenticator, table);
    const method = AppService.method.listOrganizations;
    const { values, isKnown } = await admit(method, { authorization: 'Bearer token', address: '' });
    assert.ok(!isKnown);
    const transport = createRouterTransport(
      (router) => router.service(AppService, { listOrganizations: () => ({}) }),
      {
        router: {
          interceptors: [
            storeErrorInterceptor(silentLogger),
            (next) => (request) => next({ ...request, contextValues: values }),
            accessInterceptor(store, authenticator, table, requestValidator),
          ],
        },
      },
    );
    await assert.rejects(
      createClient(AppService, transport).listOrganizations({}),
      /unavailable.*can't reach its database/,
    );
    assert.equal(attempts, 1);
  });
});
