import { createStore, useStore } from './store';

/** Work that outlives the page that started it, shown in the status bar. */
export interface Job {
  id: string;
  title: string;
  /** Fraction done, or null while it is unknown. */
  done: number | null;
  /** Whether data is downloaded to this computer; otherwise it is uploaded. */
  comes?: boolean;
  /** The address of the page that shows more. */
  page: string;
}

const jobs = createStore<readonly Job[]>([]);

/** Adds the job, or updates it if its id is known. */
export function showJob(job: Job): void {
  jobs.set((all) => (all.some((j) => j.id === job.id) ? all.map((j) => (j.id === job.id ? job : j)) : [...all, job]));
}

export function endJob(id: string): void {
  jobs.set((all) => all.filter((job) => job.id !== id));
}

export function useJobs(): readonly Job[] {
  return useStore(jobs);
}
