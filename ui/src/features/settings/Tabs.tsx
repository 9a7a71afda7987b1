export { Tabs } from '@/shared';
