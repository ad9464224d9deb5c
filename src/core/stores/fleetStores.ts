import { Disposable } from '../../base/disposable';
import type { LoadClients } from '../api/fleetClients';
import { FragmentStore } from './fragmentStore';
import { LocationStore } from './locationStore';
import { MachineStore } from './machineStore';
import { MetadataStore } from './metadataStore';
import { OrganizationStore } from './organizationStore';
import { PartStore } from './partStore';

/** The stores of one connection. */
export class FleetStores extends Disposable {
  readonly organizations: OrganizationStore;
  readonly locations: LocationStore;
  readonly machines: MachineStore;
  readonly parts: PartStore;
  readonly fragments: FragmentStore;
  readonly metadata: MetadataStore;

  constructor(clients: LoadClients) {
    super();
    this.organizations = this.register(new OrganizationStore(clients));
    this.locations = this.register(new LocationStore(clients));
    this.machines = this.register(new MachineStore(clients));
    this.parts = this.register(new PartStore(clients));
    this.fragments = this.register(new FragmentStore(clients));
    this.metadata = this.register(new MetadataStore(clients));
    this.cascadeDeletions();
  }

  /** Reads everything again that is shown. */
  refresh(): void {
    this.organizations.refresh();
    this.locations.refresh();
    this.machines.refresh();
    this.parts.refresh();
    this.fragments.refresh();
  }

  /** The service deletes what is inside along; whoever shows that must hear of it. */
  private cascadeDeletions(): void {
    this.register(
      this.organizations.onDidChange(({ removed }) => {
        this.locations.removeIn(removed);
        this.fragments.removeIn(removed);
      }),
    );
    this.register(this.locations.onDidChange(({ removed }) => this.machines.removeIn(removed)));
    this.register(this.machines.onDidChange(({ removed }) => this.parts.removeIn(removed)));
  }
}
