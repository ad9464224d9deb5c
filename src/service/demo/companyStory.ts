import type { JsonObject } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { FragmentVisibility } from '../../gen/viam/app/v1/fragment_pb';
import { Calendar, getPending, Pending, type Stage, type Step } from './story';
import { type AppClient, signIn } from './demoClient';
import {
  type CompanyPlan,
  DemoDataError,
  type Editor,
  type FragmentPlan,
  type LocationPlan,
  type MachinePlan,
  type PartPlan,
  replaceFragmentNames,
} from './demoData';
import { CaptureSteps } from './captureSteps';
import { accessSteps, roleOn } from './companyAccess';
import { RegistrySteps } from './registrySteps';

const EDITORS: readonly Editor[] = ['engineers', 'pipeline'];
const VISIBILITIES = {
  private: FragmentVisibility.PRIVATE,
  public: FragmentVisibility.PUBLIC,
  unlisted: FragmentVisibility.PUBLIC_UNLISTED,
} as const;
const MS_PER_MINUTE = 60_000;

/** Time in minutes between creating a machine and saving its first config. */
const FIRST_CONFIG_MINUTES = 25;

/** Time in minutes between creating two machines in the same location. */
const MACHINE_MINUTES = 6;

/**
 * Time of day at which a machine is created. The machines in a location are created together, in
 * order.
 */
interface Arrival {
  name: string;
  minute: number;
}

/** Creates a company's fleet through the same operations that its users would use. */
export class CompanyStory {
  private readonly steps: Step[] = [];
  private readonly calendar: Calendar;
  private readonly organization: Pending;
  private readonly editors = new Map<Editor, AppClient>();
  private readonly fragments = new Map<string, Pending>();
  private readonly locations = new Map<string, Pending>();

  /** @param organizationId the company's organization; if absent, a new organization is created. */
  constructor(
    private readonly stage: Stage,
    private readonly plan: CompanyPlan,
    private readonly organizationId?: string,
  ) {
    this.calendar = new Calendar(stage.now, plan.utcOffsetHours);
    this.organization = new Pending(plan.name);
    stage.companies.set(plan.name, this.organization);
  }

  /** Returns the steps in no particular order. */
  createSteps(): Step[] {
    const { plan, stage } = this;
    this.step(plan.daysAgo, plan.name, () => this.found());
    for (const fragment of plan.fragments) {
      this.addFragmentSteps(fragment);
    }
    for (const location of plan.locations) {
      this.addLocationSteps(location, undefined, `${plan.name} ${location.name}`);
    }
    for (const { daysAgo, occasion, run } of accessSteps(plan, stage, (location) =>
      location === undefined ? this.organization : getPending(this.locations, location),
    )) {
      this.step(daysAgo, occasion, run);
    }
    const registry = new RegistrySteps(stage, this.organization, plan.namespace);
    for (const { daysAgo, occasion, run, minutesLater } of registry.of(plan.registry)) {
      this.step(daysAgo, occasion, run, minutesLater);
    }
    this.steps.push(...new CaptureSteps(stage, this.organization).of(plan.captures));
    return this.steps;
  }

  private step(
    daysAgo: number,
    occasion: string,
    run: () => Promise<void>,
    minutesLater = 0,
  ): void {
    const date = this.calendar.getPastTime(daysAgo, occasion);
    this.steps.push({
      at: new Date(date.getTime() + minutesLater * MS_PER_MINUTE),
      run: () => explainRejection(this.plan.name, occasion, run),
    });
  }

  private async found(): Promise<void> {
    const { owner, open } = this.stage;
    const { plan, organizationId } = this;
    const id =
      organizationId ??
      (await owner.createOrganization({ name: plan.name })).organization?.id ??
      '';
    this.organization.made(id);
    await owner.updateOrganization({ organizationId: id, name: plan.name });
    const { organization } = await owner.getOrganization({ organizationId: id });
    const { available } = await owner.getOrganizationNamespaceAvailability({
      publicNamespace: plan.namespace,
    });
    if (available && organization?.publicNamespace === '') {
      await owner.updateOrganization({ organizationId: id, publicNamespace: plan.namespace });
    }
    await owner.updateOrganizationMetadata({ organizationId: id, data: plan.metadata });
    for (const editor of EDITORS) {
      const key = await owner.createKey({
        name: plan.keyNames[editor],
        authorizations: [roleOn('owner', 'organization', id)],
      });
      this.editors.set(editor, await signIn(open, key));
    }
  }

  private addFragmentSteps(plan: FragmentPlan): void {
    const { name } = plan;
    const pending = new Pending(`fragment ${name}`);
    this.fragments.set(name, pending);
    this.step(plan.daysAgo, name, async () => {
      const { fragment } = await this.editor().createFragment({
        name,
        organizationId: this.organization.id,
        config: this.withFragmentIds(plan.config),
      });
      pending.made(fragment?.id ?? '');
    });
    for (const edit of plan.edits) {
      this.step(edit.daysAgo, `${name} ${edit.daysAgo}`, async () => {
        const config = this.withFragmentIds(edit.config);
        await this.editor(edit.by).updateFragment({ id: pending.id, name, config });
      });
    }
    const { shared } = plan;
    if (shared !== undefined) {
      this.step(shared.daysAgo, `${name} shared`, async () => {
        const visibility = VISIBILITIES[shared.visibility];
        await this.editor().updateFragment({ id: pending.id, name, visibility });
      });
    }
  }

  /** @param site top-level location. A site is created together with its nested locations. */
  private addLocationSteps(plan: LocationPlan, parent: Pending | undefined, site: string): void {
    const pending = new Pending(plan.name);
    this.locations.set(plan.name, pending);
    this.step(this.plan.daysAgo - 1, site, async () => {
      const { location } = await this.editor().createLocation({
        organizationId: this.organization.id,
        name: plan.name,
        ...(parent !== undefined && { parentLocationId: parent.id }),
      });
      pending.made(location?.id ?? '');
      if (plan.metadata !== undefined) {
        await this.editor().updateLocationMetadata({
          locationId: pending.id,
          data: plan.metadata,
        });
      }
    });
    for (const [index, machine] of plan.machines.entries()) {
      this.addMachineSteps(machine, pending, { name: plan.name, minute: index * MACHINE_MINUTES });
    }
    for (const nested of plan.locations) {
      this.addLocationSteps(nested, pending, site);
    }
  }

  private addMachineSteps(plan: MachinePlan, location: Pending, arrival: Arrival): void {
    const machine = new Pending(plan.name);
    const createMachine = async (main: Pending): Promise<void> => {
      const client = this.editor();
      machine.made((await client.newRobot({ name: plan.name, location: location.id })).id);
      const { parts } = await client.getRobotParts({ robotId: machine.id });
      main.made(parts[0]?.id ?? '');
      if (plan.metadata !== undefined) {
        await client.updateRobotMetadata({ id: machine.id, data: plan.metadata });
      }
    };
    for (const [suffix, partPlan] of Object.entries(plan.parts)) {
      const name = `${plan.name}-${suffix}`;
      const part = new Pending(name);
      const create = async (): Promise<void> => {
        if (suffix === 'main') return createMachine(part);
        const { partId } = await this.editor().newRobotPart({
          robotId: machine.id,
          partName: name,
        });
        part.made(partId);
      };
      this.step(plan.daysAgo, arrival.name, create, arrival.minute);
      this.addPartSteps(partPlan, name, part, plan.daysAgo, arrival);
    }
  }

  private addPartSteps(
    plan: PartPlan,
    name: string,
    part: Pending,
    daysAgo: number,
    arrival: Arrival,
  ): void {
    this.stage.parts.set(name, part);
    const save = async (config: JsonObject, by?: Editor): Promise<void> => {
      const saved = this.withFragmentIds(config);
      await this.editor(by).updateRobotPart({
        id: part.id,
        name,
        robotConfigJson: JSON.stringify(saved, undefined, this.plan.indent),
      });
    };
    const minute = arrival.minute + FIRST_CONFIG_MINUTES;
    this.step(daysAgo, arrival.name, () => save(plan.config), minute);
    for (const edit of plan.edits) {
      this.step(edit.daysAgo, `${name} ${edit.daysAgo}`, () => save(edit.config, edit.by));
    }
    const { lastContact } = plan;
    if (lastContact === 'live') {
      this.stage.liveParts.push(part);
    } else if (lastContact !== 'never') {
      this.step(lastContact.daysAgo, `${name} last contact`, () =>
        this.stage.recordContact(part.id),
      );
    }
  }

  private withFragmentIds(config: JsonObject): JsonObject {
    return replaceFragmentNames(config, (name) => getPending(this.fragments, name).id);
  }

  private editor(name: Editor = 'engineers'): AppClient {
    const client = this.editors.get(name);
    if (client === undefined) {
      throw new DemoDataError(
        `the demo data uses ${this.plan.name} before it is created; increase its daysAgo`,
      );
    }
    return client;
  }
}

/**
 * Runs a step.
 * @param occasion name of the step, such as the name of a machine
 * @throws DemoDataError if the service rejects the data.
 */
async function explainRejection(
  company: string,
  occasion: string,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof ConnectError) || error.code === Code.Internal) throw error;
    throw new DemoDataError(
      `the demo data of ${company} can't be loaded: the service rejected "${occasion}": ${error.rawMessage}`,
      { cause: error },
    );
  }
}
