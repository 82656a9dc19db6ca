// Package corpora makes the data sets that models are trained on from copies of their public
// sources. It fetches nothing. The sources are named in NOTICE and stand below one folder:
//
//	standardebooks/REPOSITORY/src/epub/text/*.xhtml   stories
//	common-voice/server/data/en/*.txt                 everyday
//	common-voice/server/data/zh-CN, zh-TW/*.txt       chinese
//	oos-eval/data/data_full.json, domains.json        intents
//	GoEmotions-pytorch/data/original/*.tsv, labels.txt feelings
//	negation/train.tsv, valid.tsv, test.tsv           negation, as it is
//
// What is certain of how the sets of the shipped models were made: their sources and commits;
// of everyday and chinese, that all their lines pass the rules here and lie where Split puts
// them; the original splits of intents and feelings, and the rule by which several labels become
// one, which gives every line of feelings. What is not: the list of words whose lines were
// dropped, the first names that stand for [NAME], which file names of stories were hashed, where
// long paragraphs were cut, and the order of the lines. So these sets are alike, not the same: a
// training on them does not give the shipped weights bit for bit.
package corpora
