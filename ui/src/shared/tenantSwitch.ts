import { createStore } from './store';

interface TenantSwitch {
  to: (tenant: string) => Promise<void>;
  /**
   * Goes to the tenant, does `work` there while no page is shown, and opens `page`. `say` shows what is being done; what `work` throws is shown
   * before the page opens.
   */
  with: (tenant: string, page: string, work: (say: (text: string) => void) => Promise<void>) => Promise<void>;
}

/** Switches to another tenant of the user. The frame provides it, because it controls navigation. */
export const tenantSwitch = createStore<TenantSwitch>({ to: () => Promise.resolve(), with: () => Promise.resolve() });
