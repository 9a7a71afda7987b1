import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { aboutKey, call, keepingUp, post, send, useServiceAdmin } from '@/api';
import type { ApiError, Rest } from '@/api';
import type { Draft } from './draft';
import type { Metadata, Refusal, Report, RolesReport, Settings, Test } from './types';

const settingsKey = ['sign-on', 'settings'] as const;

export function useSettings() {
  const { enabled, ask } = useServiceAdmin();
  return useQuery<Settings, ApiError>({
    queryKey: settingsKey,
    enabled,
    queryFn: ({ signal }) => ask<Settings>('/api/auth/saml/settings', signal),
  });
}

/** The settings with the draft applied, validated by the service. */
export function useChecked(draft: Draft) {
  return useQuery<Settings, ApiError>({
    queryKey: ['sign-on', 'check', draft],
    enabled: Object.keys(draft).length > 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => post<Settings>('/api/auth/saml/settings/check', { values: draft }, signal),
  });
}

export function useSave() {
  const client = useQueryClient();
  return useMutation<Settings, ApiError, { values: Draft; confirm?: boolean }>({
    mutationFn: (change) => send<Settings>('PUT', '/api/auth/saml/settings', change),
    onSuccess: (settings) => {
      client.setQueryData(settingsKey, settings);
      void client.invalidateQueries({ queryKey: ['sign-on', 'check'] });
      void client.invalidateQueries({ queryKey: ['saml health'] });
      void client.invalidateQueries({ queryKey: ['security log'] });
      void client.invalidateQueries({ queryKey: aboutKey });
    },
  });
}

/** Where metadata is read from. `confirm` agrees to an address without encryption. */
export type MetadataSource = { xml: string } | { url: string; confirm?: boolean };

/** Parses metadata of an identity provider without storing it. */
export function useReadMetadata() {
  return useMutation<Metadata, ApiError, MetadataSource>({
    mutationFn: (source) => post<Metadata>('/api/auth/saml/idp-metadata', source),
  });
}

export function useReadCertificate() {
  return useMutation<Rest.CertificatesRead, ApiError, string>({
    mutationFn: (text) => post('/api/auth/saml/certificate', { text }),
  });
}

export function useRolesPreview(values: Draft, groups: readonly string[], email: string) {
  return useQuery<RolesReport, ApiError>({
    queryKey: ['sign-on', 'roles', values, groups, email],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      post<RolesReport>('/api/auth/saml/roles-preview', { values, groups, ...(email ? { email } : {}) }, signal),
  });
}

export function useStartTest() {
  return useMutation<Rest.TestBegun, ApiError, Draft>({
    mutationFn: (values) => post('/api/auth/saml/tests', { values }),
  });
}

/** A test sign-in, polled every second while its window is open. */
export function useTest(id: string | null) {
  const client = useQueryClient();
  return useQuery<Test, ApiError>({
    queryKey: ['sign-on', 'test', id],
    enabled: id !== null,
    queryFn: async ({ signal }) => {
      const test = await call<Test>(`/api/auth/saml/tests/${id ?? ''}`, { signal });
      if (test.state === 'done') void client.invalidateQueries({ queryKey: settingsKey });
      return test;
    },
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? 1_000 : false),
  });
}

export function useLab() {
  return useMutation<Report, ApiError, { response: string; values: Draft; at?: string }>({
    mutationFn: (request) => post<Report>('/api/auth/saml/lab', request),
  });
}

export function useRefusals() {
  return useQuery<Refusal[], ApiError>({
    queryKey: ['sign-on', 'refusals'],
    queryFn: ({ signal }) => call<Refusal[]>('/api/auth/saml/refusals?limit=50', { signal }),
    ...keepingUp,
  });
}

/** The local administrator, who signs in without an identity provider. */
export type Local = Rest.LocalAdministrator;

export function useLocal() {
  return useQuery<Local, ApiError>({
    queryKey: ['sign-on', 'local'],
    queryFn: ({ signal }) => call<Local>('/api/auth/local', { signal }),
  });
}

export function useChangeLocal() {
  const client = useQueryClient();
  return useMutation<Local, ApiError, { password: string } | { enabled: boolean; confirm?: boolean }>({
    mutationFn: (change) => send<Local>('PUT', '/api/auth/local', change),
    onSuccess: (local) => {
      client.setQueryData(['sign-on', 'local'], local);
      void client.invalidateQueries({ queryKey: settingsKey });
      void client.invalidateQueries({ queryKey: aboutKey });
    },
  });
}
