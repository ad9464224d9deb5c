import { type Client, createClient } from '@connectrpc/connect';
import { APPLIED_REVISION_HEADER } from '../../src/core/model/contractExtensions';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { RobotService } from '../../src/gen/viam/app/v1/robot_pb';
import { signedInTransport } from '../../src/simulate/fleet/fleetMachines';
import type { MemoryFleet } from './memoryFleet';

/** Simulates the software of a part, using the raw transport of an in-memory fleet. */
export class MemoryMachine {
  private robot: Client<typeof RobotService> | undefined;
  private revision = '';

  private constructor(
    private readonly fleet: MemoryFleet,
    private readonly id: string,
    private readonly secret: string,
  ) {}

  /** Returns the machine of a part; the machine is switched off. */
  static async ofPart(fleet: MemoryFleet, partId: string): Promise<MemoryMachine> {
    const owner = { type: 'api-key', entity: fleet.key.id, payload: fleet.key.secret } as const;
    const open = fleet.wire.bind(fleet);
    const app = createClient(AppService, await signedInTransport(open, owner));
    const { part } = await app.getRobotPart({ id: partId });
    return new MemoryMachine(fleet, partId, part?.secrets[0]?.secret ?? '');
  }

  /** Signs in again, as a machine does when it starts. */
  async signIn(): Promise<void> {
    const { fleet, id, secret } = this;
    const credentials = { type: 'robot-secret', entity: id, payload: secret } as const;
    const open = fleet.wire.bind(fleet);
    this.robot = createClient(RobotService, await signedInTransport(open, credentials));
  }

  /** Fetches the machine's config, which shows the service that the machine is online. */
  async fetchConfig(): Promise<void> {
    const answer = await this.robot?.config({ id: this.id });
    this.revision = answer?.config?.revision ?? '';
  }

  /** Reports to the service that the machine runs the config that it has fetched last. */
  async reportApplied(): Promise<void> {
    const headers = { [APPLIED_REVISION_HEADER]: this.revision };
    await this.robot?.needsRestart({ id: this.id }, { headers });
  }

  /** Signs in and fetches the machine's config. */
  async start(): Promise<void> {
    await this.signIn();
    await this.fetchConfig();
  }

  /** Polls the service; returns true if the machine must restart. */
  async checkNeedsRestart(): Promise<boolean> {
    return (await this.robot?.needsRestart({ id: this.id }))?.mustRestart ?? false;
  }
}
