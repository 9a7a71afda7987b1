//! Tests of embeddings with every kind of provider.

use super::{KINDS, provider_at, wait};
use crate::kind::Field;
use crate::{ProviderKind, embed};
use testkit::language_models::{LanguageModels, vector_of};

#[test]
fn every_kind_embeds_several_texts_in_their_order() {
    for kind in KINDS {
        for model in ["amazon.titan-embed-text-v2:0", "cohere.embed-v4:0"] {
            let double = LanguageModels::start();
            let mut provider = provider_at(&double, kind);
            model.clone_into(&mut provider.model);
            // Titan accepts one text in each request, which is signed and checked each time: a few are enough.
            let count = if model.starts_with("amazon.") { 3 } else { 40 };
            let texts: Vec<String> = (0..count).map(|at| format!("text number {at} of many")).collect();
            let embedded =
                wait(embed(&[provider], &texts)).unwrap_or_else(|failure| panic!("{kind:?}: {failure}"));
            assert_eq!(embedded.vectors.len(), texts.len(), "{kind:?}");
            for (vector, text) in embedded.vectors.iter().zip(&texts) {
                let same = vector
                    .iter()
                    .zip(vector_of(text))
                    .all(|(one, other)| (f64::from(*one) - other).abs() < 1e-6);
                assert!(same, "{kind:?}: {text}");
            }
            assert_eq!(double.wrong_signatures(), [""; 0]);
        }
    }
}

#[test]
fn hugging_face_extracts_features_where_its_address_is_no_openai_one() {
    let double = LanguageModels::start();
    let mut provider = provider_at(&double, ProviderKind::HuggingFace);
    provider.connection.0.insert(Field::Endpoint, double.address.clone());
    "BAAI/bge-small-en".clone_into(&mut provider.model);
    wait(embed(&[provider], &["one".to_owned()])).unwrap();
    assert_eq!(double.seen()[0].path, "/models/BAAI/bge-small-en/pipeline/feature-extraction");
}

#[test]
fn the_length_of_vectors_is_asked_for_where_it_was_set() {
    let double = LanguageModels::start();
    let mut provider = provider_at(&double, ProviderKind::OpenAi);
    provider.connection.0.insert(Field::Dimensions, "256".to_owned());
    wait(embed(&[provider], &["one".to_owned()])).unwrap();
    assert_eq!(double.seen()[0].body["dimensions"], 256);
}
