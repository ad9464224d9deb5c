import assert from 'node:assert/strict';
import { Code, ConnectError } from '@connectrpc/connect';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { AuthorizationTable } from '../../src/service/auth/authorizationTable';
import {
  type AppClient,
  type Deployment,
  signInAsOwner,
  startRouterDeployment,
} from './deployment';
import { TestClock } from '../support/testClock';

describe('authorization table', () => {
  let deployment: Deployment;
  let owner: AppClient;

  before(async () => {
    deployment = await startRouterDeployment(new TestClock());
    owner = await signInAsOwner(deployment);
  });

  after(() => deployment.stop());

  for (const method of AppService.methods.filter(({ methodKind }) => methodKind === 'unary')) {
    const rule = new AuthorizationTable().ruleFor(method);
    it(`${method.name} is ${rule ? 'implemented and has a rule' : 'neither implemented nor has a rule'}`, async () => {
      const call = owner[method.localName as 'listOrganizations'];
      const code = await call({}).then(
        () => undefined,
        (error: unknown) => ConnectError.from(error).code,
      );
      assert.equal(code === Code.Unimplemented, rule === undefined);
      assert.notEqual(code, Code.Internal);
    });
  }
});
