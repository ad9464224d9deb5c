import type { AccessPlan, RolePlan } from './demoData';
import { getPending, type Pending, type Stage } from './story';

/** Event on a working day before the demo is loaded. */
interface AccessStep {
  daysAgo: number;
  occasion: string;
  run: () => Promise<void>;
}

/**
 * Returns the steps that create a company's members, API keys, and shares.
 * @param getScope returns the company's location with the given name; if no name is given, returns
 *   its organization.
 */
export function accessSteps(
  { members, keys, shares }: AccessPlan,
  stage: Stage,
  getScope: (location?: string) => Pending,
): AccessStep[] {
  const authorization = ({ role, location }: RolePlan) =>
    roleOn(role, location === undefined ? 'organization' : 'location', getScope(location).id);
  const steps: AccessStep[] = [];
  for (const member of members) {
    const { email, lastLoginDaysAgo } = member;
    steps.push({
      daysAgo: member.invitedDaysAgo,
      occasion: email,
      run: async () => {
        await stage.owner.createOrganizationInvite({
          organizationId: getScope().id,
          email,
          authorizations: [authorization(member)],
          sendEmailInvite: false,
        });
      },
    });
    if (lastLoginDaysAgo !== undefined) {
      steps.push({
        daysAgo: lastLoginDaysAgo,
        occasion: `${email} logs in`,
        run: () => stage.logIn(email),
      });
    }
  }
  for (const key of keys) {
    steps.push({
      daysAgo: key.daysAgo,
      occasion: key.name,
      run: async () => {
        await stage.owner.createKey({ name: key.name, authorizations: [authorization(key)] });
      },
    });
  }
  for (const share of shares) {
    steps.push({
      daysAgo: share.daysAgo,
      occasion: `${share.location} is shared`,
      run: async () => {
        await stage.owner.shareLocation({
          locationId: getScope(share.location).id,
          organizationId: getPending(stage.companies, share.with).id,
        });
      },
    });
  }
  return steps;
}

/** Returns a role's wire format. */
export function roleOn(role: RolePlan['role'], resourceType: string, resourceId: string) {
  return {
    authorizationType: 'role',
    authorizationId: `${resourceType}_${role}`,
    resourceType,
    resourceId,
  };
}
