import type { JsonObject } from '@bufbuild/protobuf';
import { Calendar, getPending, Pending, type Stage, type Step } from './story';
import { type AppClient, signIn } from './demoClient';
import type {
  CompanyPlan,
  Editor,
  FragmentPlan,
  LocationPlan,
  MachinePlan,
  PartPlan,
} from './plan';
import { CaptureSteps } from './captureSteps';
import { accessSteps, roleOn } from './companyAccess';
import { RegistrySteps } from './registrySteps';

const EDITORS: readonly Editor[] = ['engineers', 'pipeline'];
const MS_PER_MINUTE = 60_000;

/** Time in minutes between creating a machine and saving its first config. */
const FIRST_CONFIG_MINUTES = 25;

/** Time in minutes between creating two machines in the same location. */
const MACHINE_MINUTES = 6;

/**
 * Time of day at which a machine is created. The machines of a location are created together, in
 * order.
 */
interface Arrival {
  name: string;
  minute: number;
}

/** Creates the fleet of a company through the same operations that its users would use. */
export class CompanyStory {
  private readonly steps: Step[] = [];
  private readonly calendar: Calendar;
  private readonly organization: Pending;
  private readonly editors = new Map<Editor, AppClient>();
  private readonly locations = new Map<string, Pending>();

  /**
   * @param organizationId organization of the company; if absent, a new organization is created.
   */
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
    for (const { daysAgo, occasion, run, minutesLater } of registry.of(plan.published)) {
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
    this.steps.push({ at: new Date(date.getTime() + minutesLater * MS_PER_MINUTE), run });
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
    const pending = new Pending(`fragment ${plan.key}`);
    this.stage.fragments.set(plan.key, pending);
    let config: JsonObject = {};
    this.step(plan.daysAgo, plan.key, async () => {
      config = plan.config(this.fragmentId);
      const { fragment } = await this.editor().createFragment({
        name: plan.name,
        organizationId: this.organization.id,
        config,
      });
      pending.made(fragment?.id ?? '');
    });
    for (const edit of plan.edits ?? []) {
      this.step(edit.daysAgo, `${plan.key} ${edit.daysAgo}`, async () => {
        config = structuredClone(config);
        edit.change(config, this.fragmentId);
        await this.editor(edit.by).updateFragment({ id: pending.id, name: plan.name, config });
      });
    }
    const { shared } = plan;
    if (shared !== undefined) {
      this.step(shared.daysAgo, `${plan.key} shared`, async () => {
        const { visibility } = shared;
        await this.editor().updateFragment({ id: pending.id, name: plan.name, visibility });
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
    for (const [index, machine] of (plan.machines ?? []).entries()) {
      this.addMachineSteps(machine, pending, { name: plan.name, minute: index * MACHINE_MINUTES });
    }
    for (const nested of plan.locations ?? []) {
      this.addLocationSteps(nested, pending, site);
    }
  }

  private addMachineSteps(plan: MachinePlan, location: Pending, arrival: Arrival): void {
    const machine = new Pending(plan.name);
    const mainName = `${plan.name}-main`;
    const main = new Pending(mainName);
    const arrive = async (): Promise<void> => {
      const client = this.editor();
      machine.made((await client.newRobot({ name: plan.name, location: location.id })).id);
      const { parts } = await client.getRobotParts({ robotId: machine.id });
      main.made(parts[0]?.id ?? '');
      if (plan.metadata !== undefined) {
        await client.updateRobotMetadata({ id: machine.id, data: plan.metadata });
      }
    };
    this.step(plan.daysAgo, arrival.name, arrive, arrival.minute);
    this.addPartSteps(plan.main, mainName, main, plan.daysAgo, arrival);
    for (const [suffix, partPlan] of Object.entries(plan.others ?? {})) {
      const name = `${plan.name}-${suffix}`;
      const part = new Pending(name);
      const add = async (): Promise<void> => {
        const { partId } = await this.editor().newRobotPart({
          robotId: machine.id,
          partName: name,
        });
        part.made(partId);
      };
      this.step(plan.daysAgo, arrival.name, add, arrival.minute);
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
    let config: JsonObject = {};
    const save = (client: AppClient) =>
      client.updateRobotPart({
        id: part.id,
        name,
        robotConfigJson: JSON.stringify(config, undefined, this.plan.indent),
      });
    const configure = async (): Promise<void> => {
      config = plan.config(this.fragmentId);
      await save(this.editor());
      if (plan.metadata !== undefined) {
        await this.editor().updateRobotPartMetadata({ id: part.id, data: plan.metadata });
      }
    };
    this.step(daysAgo, arrival.name, configure, arrival.minute + FIRST_CONFIG_MINUTES);
    for (const edit of plan.edits ?? []) {
      this.step(edit.daysAgo, `${name} ${edit.daysAgo}`, async () => {
        config = structuredClone(config);
        edit.change(config, this.fragmentId);
        await save(this.editor(edit.by));
      });
    }
    const { contact = 'live' } = plan;
    if (contact === 'live') {
      this.stage.liveParts.push(part);
    } else if (contact !== 'never') {
      this.step(contact.daysAgo, `${name} last contact`, () => this.stage.recordContact(part.id));
    }
  }

  private readonly fragmentId = (key: string): string => getPending(this.stage.fragments, key).id;

  private editor(name: Editor = 'engineers'): AppClient {
    const client = this.editors.get(name);
    if (client === undefined) throw new Error(`${this.plan.name} is used before it is founded`);
    return client;
  }
}
