/** Past event in the fleet's history. */
export interface Step {
  at: Date;
  run(): Promise<void>;
}

/** ID that the service assigns in one step and that later steps use. */
export class Pending {
  private value: string | undefined;

  constructor(private readonly what: string) {}

  /** @throws Error if a step uses the resource before another step has created it. */
  get id(): string {
    if (this.value === undefined) {
      throw new Error(`the demo fleet uses ${this.what} before it is made`);
    }
    return this.value;
  }

  made(id: string): void {
    this.value = id;
  }
}

/** Sorts steps by time. The sort is stable. */
export function sortByTime(steps: readonly Step[]): Step[] {
  return [...steps].sort((left, right) => left.at.getTime() - right.at.getTime());
}

/** Returns a resource from the history by name. */
export function getPending(all: ReadonlyMap<string, Pending>, name: string): Pending {
  const pending = all.get(name);
  if (pending === undefined) {
    throw new Error(`the demo fleet has no "${name}"`);
  }
  return pending;
}
